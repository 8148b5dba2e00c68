import Glibc

/// A point on the ground, from which the distance to other points is measured.
///
/// It is kept as a unit vector: the ellipsoid of WGS 84 is a sphere that was made flatter, and this is the point on
/// that sphere. So there are no special cases at the poles and at the antimeridian, and a distance needs one arc
/// tangent.
package struct EarthPoint: Sendable, Hashable {
    /// The part of a distance by which it may be wrong. Only next to the antipode is it that much; up to 1,000 km it is
    /// less than a fiftieth of this.
    package static let relativeError = 0.000_5

    /// WGS 84 is defined by these two: meters from the center to the equator, and the flattening.
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563
    /// Meters from a pole to the other: no two points are farther apart.
    private static let halfMeridian = 20_003_931.458_6
    /// Meters from the center to a pole, less the rounding of a double: ground between two points is never shorter than
    /// this times the straight line between their unit vectors.
    static let leastScale = equatorialRadius * (1 - flattening) * (1 - 1e-9)

    let vector: SIMD3<Double>

    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east, with any number of full turns.
    ///
    /// A coordinate that is not finite gives a point whose distances are not numbers.
    package init(latitude: Double, longitude: Double) {
        let (north, east) = (latitude * .pi / 180, longitude.remainder(dividingBy: 360) * .pi / 180)
        let stretched = SIMD3(cos(north) * cos(east), cos(north) * sin(east), (1 - Self.flattening) * sin(north))
        vector = stretched / (stretched * stretched).sum().squareRoot()
    }

    package init(_ fix: LocationFix) { self.init(latitude: fix.latitude, longitude: fix.longitude) }

    /// The center of a region.
    package init(_ region: CircularRegion) { self.init(latitude: region.latitude, longitude: region.longitude) }

    /// Meters over the ground, the shortest way; within ``relativeError``.
    ///
    /// Andoyer's formula (1932), with vectors: the angle between the points on the sphere, less what flattening the
    /// sphere takes off the arc between them. Next to the antipode that arc isn't the shortest way, which may lead over
    /// a pole.
    package func distance(to other: EarthPoint) -> Double {
        let (difference, sum) = (vector - other.vector, vector + other.vector)
        let differenceSquared = (difference * difference).sum()
        let sumSquared = (sum * sum).sum()
        let angle = 2 * atan2(differenceSquared.squareRoot(), sumSquared.squareRoot())
        let sine = (differenceSquared * sumSquared).squareRoot() / 2
        // Squares of how steep the arc is at its middle, and how far north or south that is. For one and the same
        // point, and for antipodes, the vectors above are zero or rounding errors.
        let steepness = difference.z * difference.z / max(differenceSquared, .leastNonzeroMagnitude)
        let height = min(sum.z * sum.z / max(sumSquared, .leastNonzeroMagnitude), 1 - steepness)
        let shortening = (angle + sine) * steepness + (angle - sine) * height
        return min(Self.equatorialRadius * (angle - Self.flattening / 2 * shortening), Self.halfMeridian)
    }

    /// Meters that the distance is not less than, worked out much faster.
    @inline(__always)
    func leastDistance(to other: EarthPoint) -> Double {
        let difference = vector - other.vector
        return Self.leastScale * (difference * difference).sum().squareRoot()
    }
}
