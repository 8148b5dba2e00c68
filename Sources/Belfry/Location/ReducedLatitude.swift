import Foundation

/// The latitude of a point on the auxiliary sphere that stands for a point on the ellipsoid.
struct ReducedLatitude {
    var sine: Double
    var cosine: Double

    /// From a geodetic latitude in degrees.
    init(_ latitude: Double) {
        let radians = latitude * Ellipsoid.radiansPerDegree
        let flat = (1 - Ellipsoid.flattening) * sin(radians)
        // The cosine of π ÷ 2 as a number is not quite zero.
        let wide = latitude.magnitude == 90 ? 0 : cos(radians)
        let length = (flat * flat + wide * wide).squareRoot()
        sine = flat / length
        cosine = wide / length
    }

    /// Radians.
    var angle: Double { atan2(sine, cosine) }

    /// The same latitude on the other side of the equator.
    var mirrored: ReducedLatitude {
        var mirrored = self
        mirrored.sine = -sine
        return mirrored
    }
}
