/// Where a coordinate is in space, to 2 cm, in a fraction of the time that the exact sines and cosines take.
enum QuickPosition {
    /// Metres from the middle of the earth, for the coordinates in degrees of a position.
    static func of(latitude: Double, longitude: Double) -> SIMD3<Float> {
        guard latitude.magnitude <= 90, longitude.magnitude <= 360 else {
            return SIMD3<Float>(GeodesicOrigin(latitude: latitude, longitude: longitude).position)
        }
        let (sine, cosine) = sineAndCosine(latitude)
        let (east, forward) = sineAndCosine(longitude)
        let bulge: Double = Ellipsoid.eccentricity * sine * sine
        let growth: Double = bulge * (0.5 + bulge * (0.375 + bulge * 0.3125))
        let normal: Double = Ellipsoid.equatorialRadius + Ellipsoid.equatorialRadius * growth
        let radius: Double = normal * cosine
        let height: Double = normal * (1 - Ellipsoid.eccentricity) * sine
        return SIMD3<Float>(Float(radius * forward), Float(radius * east), Float(height))
    }

    /// For an angle in degrees, −360 to 360: Taylor's series within 45° of a multiple of 90°. What they leave out is below 2e-9.
    @inline(__always)
    private static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
        let quarters = Int(degrees * (1 / 90) + 4.5) - 4
        let angle: Double = (degrees - 90 * Double(quarters)) * Ellipsoid.radiansPerDegree
        let square: Double = angle * angle
        var sine: Double = -1 / 5_040 + square * (1 / 362_880)
        sine = 1 / 120 + square * sine
        sine = -1 / 6 + square * sine
        sine = angle + angle * square * sine
        var cosine: Double = 1 / 40_320 - square * (1 / 3_628_800)
        cosine = -1 / 720 + square * cosine
        cosine = 1 / 24 + square * cosine
        cosine = 1 + square * (square * cosine - 0.5)
        // Turned by so many right angles.
        let (one, other) = quarters & 1 == 0 ? (sine, cosine) : (cosine, -sine)
        return quarters & 2 == 0 ? (one, other) : (-one, -other)
    }
}
