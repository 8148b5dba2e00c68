/// Of more places than the device wants to know, the nearest ones: when their source has to be asked for "the n nearest to
/// here" again.
///
/// The answer for one position covers a circle around it: every place whose centre is nearer than that of the farthest in the
/// answer is in it. A place that isn't can contain no position that is nearer to the circle's border than the place's radius. So
/// the source is asked again after a stride, or sooner, at the first fix that is not at least that radius inside the circle; no
/// fix is judged with a place missing that contains it.
struct PlaceWindow: Sendable, Hashable, Codable {
    /// Metres between two questions at most.
    let stride: Double
    /// Metres: no place of the source has a larger radius. Nil where that is unknown: then it is that of the largest place in
    /// the last answer.
    let largestRadius: Double?

    private var latitude: Double?
    private var longitude: Double?
    /// Metres to go from there before the source has to be asked; 0 where it is at every fix.
    private var freedom = 0.0

    /// The stride that is usual for a significant change of position.
    static let usualStride = 500.0

    init(stride: Double = usualStride, largestRadius: Double? = nil) {
        self.stride = stride
        self.largestRadius = largestRadius
    }

    /// Metres that may be gone from a position before the source has to be asked; 0 or less where it has to be asked now, as
    /// it has before the first answer.
    func room(latitude: Double, longitude: Double) -> Double {
        guard let ownLatitude = self.latitude, let ownLongitude = self.longitude, freedom > 0 else { return 0 }
        let gone = Geodesic.distance(
            latitude: ownLatitude,
            longitude: ownLongitude,
            toLatitude: latitude,
            longitude: longitude
        )
        return gone.isNaN ? 0 : freedom - gone
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
        self.latitude = latitude
        self.longitude = longitude
        let origin = GeodesicOrigin(latitude: latitude, longitude: longitude)
        var (farthest, largest) = (0.0, 0.0)
        for region in regions {
            farthest = max(farthest, origin.distance(toLatitude: region.latitude, longitude: region.longitude))
            largest = max(largest, region.radius)
        }
        let slack = farthest - (largestRadius ?? largest) - 2 * Geodesic.errorBound
        freedom = isAll ? stride : min(stride, max(0, slack))
    }
}
