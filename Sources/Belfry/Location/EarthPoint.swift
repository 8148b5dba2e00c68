import Glibc

/// A point on the ground that measures the distance to other points.
///
/// It is stored as a unit vector: the ellipsoid of WGS 84 is a flattened sphere, and this is the point on that sphere.
/// So the poles and the antimeridian are no special cases, and a distance needs one arc tangent.
package struct EarthPoint: Sendable, Hashable {
    /// The maximum relative error of a distance. It occurs only next to the antipode; up to 1,000 km, the error is less
    /// than a fiftieth of this.
    package static let relativeError = 0.000_5

    /// The two constants that define WGS 84: meters from the center to the equator, and the flattening.
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563
    /// Meters from one pole to the other, the largest distance between two points.
    private static let halfMeridian = 20_003_931.458_6
    /// Meters from the center to a pole, less the rounding error of a double. The distance between two points is at
    /// least this times the straight line between their unit vectors.
    static let leastScale = equatorialRadius * (1 - flattening) * (1 - 1e-9)

    let vector: SIMD3<Double>

    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east, with any number of full turns.
    ///
    /// Creates a point. A coordinate that is not finite gives a point whose distances are NaN.
    package init(latitude: Double, longitude: Double) {
        let (north, east) = (latitude * .pi / 180, longitude.remainder(dividingBy: 360) * .pi / 180)
        let stretched = SIMD3(cos(north) * cos(east), cos(north) * sin(east), (1 - Self.flattening) * sin(north))
        vector = stretched / (stretched * stretched).sum().squareRoot()
    }

    package init(_ fix: LocationFix) { self.init(latitude: fix.latitude, longitude: fix.longitude) }

    /// Creates the center of a region.
    package init(_ region: CircularRegion) { self.init(latitude: region.latitude, longitude: region.longitude) }

    /// Returns the shortest distance over the ground in meters, within ``relativeError``.
    ///
    /// Andoyer's formula (1932) with vectors: the angle between the points on the sphere, minus the part of the arc
    /// that the flattening removes. Next to the antipode the arc isn't the shortest path, which may lead over a pole.
    package func distance(to other: EarthPoint) -> Double {
        let (difference, sum) = (vector - other.vector, vector + other.vector)
        let differenceSquared = (difference * difference).sum()
        let sumSquared = (sum * sum).sum()
        let angle = 2 * atan2(differenceSquared.squareRoot(), sumSquared.squareRoot())
        let sine = (differenceSquared * sumSquared).squareRoot() / 2
        // The squares of the slope of the arc at its middle, and of the middle's distance from the equatorial plane.
        // For identical points and for antipodes, the vectors above are zero or rounding errors.
        let steepness = difference.z * difference.z / max(differenceSquared, .leastNonzeroMagnitude)
        let height = min(sum.z * sum.z / max(sumSquared, .leastNonzeroMagnitude), 1 - steepness)
        let shortening = (angle + sine) * steepness + (angle - sine) * height
        return min(Self.equatorialRadius * (angle - Self.flattening / 2 * shortening), Self.halfMeridian)
    }

    /// Returns a lower bound of the distance in meters, which is much faster to compute.
    @inline(__always)
    func leastDistance(to other: EarthPoint) -> Double {
        let difference = vector - other.vector
        return Self.leastScale * (difference * difference).sum().squareRoot()
    }
}
