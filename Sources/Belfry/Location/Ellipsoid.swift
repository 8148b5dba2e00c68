/// The ellipsoid of WGS 84, on which GPS and all maps of it measure.
enum Ellipsoid {
    /// Metres from the centre to the equator, and the flattening: the two numbers by which WGS 84 is defined.
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257_223_563

    /// Metres from the centre to a pole.
    static let polarRadius = equatorialRadius * (1 - flattening)
    /// e², the square of the first eccentricity.
    static let eccentricity = flattening * (2 - flattening)
    /// e′², the square of the second eccentricity.
    static let secondEccentricity = eccentricity / (1 - eccentricity)
    /// Metres: the smallest radius of curvature that the surface has, along a meridian at the equator.
    static let leastCurvatureRadius = equatorialRadius * (1 - eccentricity)

    static let radiansPerDegree = Double.pi / 180
}
