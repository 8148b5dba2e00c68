import Foundation

/// A point from which many distances are measured: what they have in common is worked out once.
///
/// Up to 10 km a distance is the straight line through the ground, lengthened by what the arc over it is longer, without any
/// trigonometry. The line comes from differences that lose no digits, so short distances are exact to their last digits too.
/// The rest is for ``GeodesicArc``.
struct GeodesicOrigin: Sendable {
    /// Degrees north.
    let latitude: Double
    /// Degrees east, −180 to 180.
    let longitude: Double
    private let sine: Double
    private let cosine: Double
    /// 1 − e² sin² of the latitude.
    private let shape: Double
    /// Metres: the radius of curvature across the meridian, from the surface to the axis.
    private let normal: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude.remainder(dividingBy: 360)
        sine = sin(latitude * Ellipsoid.radiansPerDegree)
        cosine = cos(latitude * Ellipsoid.radiansPerDegree)
        shape = 1 - Ellipsoid.eccentricity * sine * sine
        normal = Ellipsoid.equatorialRadius / shape.squareRoot()
    }

    /// The point in space: metres from the middle of the earth.
    var position: SIMD3<Double> {
        let angle = longitude * Ellipsoid.radiansPerDegree
        return SIMD3(
            normal * cosine * cos(angle),
            normal * cosine * sin(angle),
            normal * (1 - Ellipsoid.eccentricity) * sine
        )
    }

    /// Metres to a point, given in degrees.
    func distance(toLatitude otherLatitude: Double, longitude otherLongitude: Double) -> Double {
        let north = (otherLatitude - latitude) * Ellipsoid.radiansPerDegree
        let east = turn(to: otherLongitude) * Ellipsoid.radiansPerDegree
        if north.magnitude < Self.nearNorth, east.magnitude < Self.nearEast {
            let near = nearDistance(north: north, east: east)
            if near < Self.near { return near }
        }
        return GeodesicArc.length(fromLatitude: latitude, toLatitude: otherLatitude, east: turn(to: otherLongitude))
    }

    /// Degrees to turn eastwards to get to a longitude, −180 to 180.
    private func turn(to otherLongitude: Double) -> Double {
        let turn = otherLongitude - longitude
        return turn.magnitude <= 180 ? turn : turn.remainder(dividingBy: 360)
    }

    /// Metres up to which the short formula holds. Its error grows with the fourth power: 0.03 µm here.
    private static let near = 10_000.0
    /// Radians between which the short formula's series are exact to the last digit. Nearer to a pole than 5° a distance of 10 km
    /// may be a wider turn.
    private static let nearNorth = 0.002
    private static let nearEast = 0.02

    private func nearDistance(north: Double, east: Double) -> Double {
        // Changes of the latitude's sine and cosine.
        let squared = north * north
        let sineOfNorth = north * (1 - squared / 6 * (1 - squared / 20))
        let versine = squared / 2 * (1 - squared / 12 * (1 - squared / 30))
        let sineChange = cosine * sineOfNorth - sine * versine
        let cosineChange = -sine * sineOfNorth - cosine * versine
        let otherSine = sine + sineChange
        let otherCosine = cosine + cosineChange

        // By how much of itself the radius `normal` is longer at the other point.
        let half = Ellipsoid.eccentricity * sineChange * (otherSine + sine) / (2 * shape)
        let growth = half * (1 + half * (1.5 + half * 2.5))

        // The straight line: outwards from the axis, along the axis, and across the meridian.
        let outwards = normal * (cosineChange + growth * otherCosine)
        let upwards = normal * (1 - Ellipsoid.eccentricity) * (sineChange + growth * otherSine)
        let halfEast = east * 0.5
        let halfSquared = halfEast * halfEast
        let sineOfHalf = halfEast * (1 - halfSquared / 6 * (1 - halfSquared / 20))
        let along = outwards * outwards + upwards * upwards
        let across = 4 * normal * normal * cosine * (1 + growth) * otherCosine * sineOfHalf * sineOfHalf
        let line = along + across

        // The arc over it is longer by line³ ÷ (24 × radius²); the radius is Euler's for the direction.
        let acrossCurvature = 1 / (normal * normal)
        let alongCurvature = acrossCurvature * Self.square(shape / (1 - Ellipsoid.eccentricity))
        return line.squareRoot() * (1 + (along * alongCurvature + across * acrossCurvature) / 24)
    }

    private static func square(_ value: Double) -> Double { value * value }
}
