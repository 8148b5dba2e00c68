/// Distances along the ground: the length of the shortest way between two points on the ellipsoid of WGS 84.
///
/// Any finite coordinates are allowed: a longitude beyond ±180 is the same place as without its full turns. A coordinate that is
/// not finite gives a distance that is not a number, which is neither within a radius nor beyond it.
package enum Geodesic {
    /// Metres by which a distance may be wrong, anywhere and at any length. Tests measure less than a tenth of it.
    static let errorBound = 1e-6

    /// Metres between two points, given in degrees.
    package static func distance(
        latitude: Double,
        longitude: Double,
        toLatitude otherLatitude: Double,
        longitude otherLongitude: Double
    ) -> Double {
        GeodesicOrigin(latitude: latitude, longitude: longitude)
            .distance(toLatitude: otherLatitude, longitude: otherLongitude)
    }
}
