/// How far the answer of a feed's source reaches: where the source must be asked for "the n nearest to here" again.
///
/// The answer for one position covers a circle around it: every place whose centre is nearer than that of the farthest in the
/// answer is in it. A place that isn't can contain no position that is nearer to the circle's border than the place's radius. So
/// the source is asked again after a stride, or sooner, at the first fix that is not at least that radius inside the circle; no
/// fix is judged with a place missing that contains it.
struct FeedReach: Sendable, Hashable {
    /// Metres between two questions at most.
    let stride: Double
    /// Metres: no place of the source has a larger radius. Nil where that is unknown: then it is that of the largest place in
    /// the last answer.
    let largestRadius: Double?

    private var origin: EarthPoint?
    /// Metres to go from there before the source has to be asked; 0 where it is at every fix.
    private var freedom = 0.0
    /// Metres from there to the nearest border that may be unknown; infinite where the source has no other places.
    private var slack = 0.0

    init(stride: Double = RegionFeed.usualStride, largestRadius: Double? = nil) {
        self.stride = stride
        self.largestRadius = largestRadius
    }

    /// Metres that may be gone from a position before the source has to be asked; 0 or less where it has to be asked now, as
    /// it has before the first answer.
    func room(latitude: Double, longitude: Double) -> Double {
        freedom > 0 ? left(of: freedom, latitude, longitude) : 0
    }

    /// Metres from a position to the nearest border of a place that the source has not told of; 0 or less where there may be
    /// one right here.
    func unseen(latitude: Double, longitude: Double) -> Double { slack > 0 ? left(of: slack, latitude, longitude) : 0 }

    private func left(of metres: Double, _ latitude: Double, _ longitude: Double) -> Double {
        guard let origin else { return 0 }
        let gone = origin.distance(to: EarthPoint(latitude: latitude, longitude: longitude))
        return gone.isNaN ? 0 : metres - gone
    }

    /// Whether the source has to be asked at a position.
    func isDue(latitude: Double, longitude: Double) -> Bool { room(latitude: latitude, longitude: longitude) <= 0 }

    /// Takes note of the source's answer for a position.
    ///
    /// - Parameters:
    ///   - regions: The places that the source gave: the nearest of all, by their centres.
    ///   - isAll: Whether the source has no others, as one has that gave fewer than it was asked for. Only the stride counts
    ///     then, since it may get new ones.
    mutating func renew(
        latitude: Double,
        longitude: Double,
        with regions: some Sequence<CircularRegion>,
        isAll: Bool
    ) {
        let middle = EarthPoint(latitude: latitude, longitude: longitude)
        origin = middle
        var (farthest, largest) = (0.0, 0.0)
        for region in regions {
            farthest = max(farthest, middle.distance(to: EarthPoint(region)))
            largest = max(largest, region.radius)
        }
        let known = farthest * (1 - 2 * EarthPoint.relativeError)
        slack = isAll ? .infinity : max(0, known - (largestRadius ?? largest))
        freedom = min(stride, slack)
    }
}
