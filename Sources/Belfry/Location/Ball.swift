/// A ball in space around a part of the earth's surface: metres from the middle of the earth, in single precision, whose steps
/// are half a metre there.
struct Ball: Sendable, Equatable {
    var x: Float
    var y: Float
    var z: Float
    var reach: Float

    /// Nothing is in it or near it.
    static let empty = Ball(x: .infinity, y: 0, z: 0, reach: 0)

    /// What single precision can take off a distance, 0.87 m: half a step in each direction at both ends of it; and
    /// what a ``QuickPosition`` is off at both.
    static let grain: Float = 1
    /// More than the rounding of one comparison, as a part of the whole.
    static let rounding: Float = 1.000_001
}

extension Ball {
    /// A ball that holds all of a region: no straight line is longer than the way over the ground. Nil where a number of the
    /// region is none.
    init?(_ region: CircularRegion) {
        guard region.latitude.isFinite, region.longitude.isFinite, !region.radius.isNaN else { return nil }
        let centre = QuickPosition.of(latitude: region.latitude, longitude: region.longitude)
        self.init(centre: centre, radius: region.radius)
    }

    init(centre: SIMD3<Float>, radius: Double) {
        // No two points of the earth are farther apart than that.
        let line = Float(min(max(radius, 0), 2 * Ellipsoid.equatorialRadius))
        self.init(x: centre.x, y: centre.y, z: centre.z, reach: (line + Self.grain) * Self.rounding)
    }

    var centre: SIMD3<Float> { SIMD3(x, y, z) }

    /// Which of the classes a radius is in; the regions of one are within a factor of eight.
    static func sizeClass(ofRadius radius: Double) -> Int {
        radius >= 8 ? min(Int(radius.exponent) / 3, sizeClasses - 1) : 0
    }

    /// From 1 m to 1,000 km.
    static let sizeClasses = 7
}
