/// The area around a location fix in which a result of a feed's source is complete.
///
/// The result covers a circle around the fix: every region whose center is nearer than the farthest in the result is in
/// the result. A missing region extends into the circle by its radius at most. So the source is called again after a
/// stride, or at the first fix that is nearer to the border of the circle than the largest radius. No fix is evaluated
/// while a region that contains it is missing.
struct FeedReach: Sendable {
    let fix: LocationFix
    private let origin: EarthPoint
    /// Meters from the origin to the nearest border that may be missing; infinite if the source has no other regions.
    private let slack: Double

    /// - Parameters:
    ///   - regions: The nearest regions of the source.
    ///   - isAll: Whether the source has no others. Then only the stride counts, because it may get new ones.
    ///   - largestRadius: The largest radius of all regions in meters; nil uses the largest in the result.
    init(_ regions: [CircularRegion], isAll: Bool, around fix: LocationFix, largestRadius: Double?) {
        let here = EarthPoint(fix)
        let farthest = regions.lazy.map { EarthPoint($0).distance(to: here) }.max() ?? 0
        let largest = largestRadius ?? regions.lazy.map(\.radius).max() ?? 0
        self.fix = fix
        origin = here
        slack = isAll ? .infinity : max(0, farthest * (1 - 2 * EarthPoint.relativeError) - largest)
    }

    /// Returns the meters from a fix to the nearest border that may be missing from the result; 0 or less if one may be
    /// right here.
    func unknown(from fix: LocationFix) -> Double { slack - origin.distance(to: EarthPoint(fix)) }

    /// Returns whether the source has to be called again at a fix.
    func isLeft(at fix: LocationFix, stride: Double) -> Bool {
        origin.distance(to: EarthPoint(fix)) >= min(stride, slack)
    }
}
