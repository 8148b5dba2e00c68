/// How far an answer of a feed's source reaches.
///
/// It covers a circle around the fix that it was asked for: every region whose center is nearer than the farthest in
/// the answer is in the answer. One that isn't contains no position that is nearer to the circle's border than the
/// region's radius. So the source is asked again after a stride, or at the first fix that is not at least that radius
/// inside of the circle, and no fix is evaluated while a region is missing that contains it.
struct FeedReach: Sendable {
    let fix: LocationFix
    private let origin: EarthPoint
    /// Meters from there to the nearest border that may be unknown; infinite where the source has no other regions.
    private let slack: Double

    /// - Parameters:
    ///   - regions: The nearest of all.
    ///   - isAll: The source has no others. Only the stride counts then, since it may get new ones.
    ///   - largestRadius: Meters: of all regions; nil where it isn't known, and the largest in the answer counts.
    init(_ regions: [CircularRegion], isAll: Bool, around fix: LocationFix, largestRadius: Double?) {
        let here = EarthPoint(fix)
        let farthest = regions.lazy.map { EarthPoint($0).distance(to: here) }.max() ?? 0
        let largest = largestRadius ?? regions.lazy.map(\.radius).max() ?? 0
        self.fix = fix
        origin = here
        slack = isAll ? .infinity : max(0, farthest * (1 - 2 * EarthPoint.relativeError) - largest)
    }

    /// Meters from a fix to the nearest border that the answer doesn't know of; 0 or less where there may be one right
    /// here.
    func unknown(from fix: LocationFix) -> Double { slack - origin.distance(to: EarthPoint(fix)) }

    /// Whether the source has to be asked again at a fix.
    func isLeft(at fix: LocationFix, stride: Double) -> Bool {
        origin.distance(to: EarthPoint(fix)) >= min(stride, slack)
    }
}
