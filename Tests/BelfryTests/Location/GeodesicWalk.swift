import Foundation

/// Walks straight on over the ellipsoid, as an oracle: step by step along the curve in space that bends towards the
/// ground and nowhere else. There is no auxiliary sphere in it, no latitude and no series.
enum GeodesicWalk {
    private static let equator = 6_378_137.0
    private static let pole = 6_378_137.0 * (1 - 1 / 298.257_223_563)
    /// The surface's normal at a point, up to its length, is the point times this.
    private static let shape = SIMD3(1, 1, equator * equator / (pole * pole))

    /// Where a walk gets to. Azimuth in degrees from north over east, the way in meters.
    static func end(
        latitude: Double,
        longitude: Double,
        azimuth: Double,
        meters: Double
    ) -> (latitude: Double, longitude: Double) {
        let (phi, lambda, alpha) = (radians(latitude), radians(longitude), radians(azimuth))
        // Towards the point's meridian on the equator, and towards the pole.
        let (out, along) = (SIMD3<Double>(cos(lambda), sin(lambda), 0), SIMD3<Double>(0, 0, 1))
        let up = out * cos(phi) + along * sin(phi)
        let north = along * cos(phi) - out * sin(phi)
        let east = SIMD3<Double>(-sin(lambda), cos(lambda), 0)
        // The point whose normal is `up`.
        let scaled = up / shape
        var place = scaled * (equator / dot(scaled, up).squareRoot())
        var direction = north * cos(alpha) + east * sin(alpha)

        let steps = max(1, (meters / 5_000).rounded(.up))
        let step = meters / steps
        for _ in 0..<Int(steps) {
            let bend1 = bend(place, direction)
            let direction2 = direction + bend1 * (step / 2)
            let bend2 = bend(place + direction * (step / 2), direction2)
            let direction3 = direction + bend2 * (step / 2)
            let bend3 = bend(place + direction2 * (step / 2), direction3)
            let direction4 = direction + bend3 * step
            let bend4 = bend(place + direction3 * step, direction4)
            place += mean(direction, direction2, direction3, direction4) * step
            direction += mean(bend1, bend2, bend3, bend4) * step
        }
        let normal = place * shape
        return (
            atan2(normal.z, (normal.x * normal.x + normal.y * normal.y).squareRoot()) * 180 / .pi,
            atan2(normal.y, normal.x) * 180 / .pi
        )
    }

    /// Of the four slopes of a step, after Runge and Kutta.
    private static func mean(
        _ first: SIMD3<Double>,
        _ second: SIMD3<Double>,
        _ third: SIMD3<Double>,
        _ fourth: SIMD3<Double>
    ) -> SIMD3<Double> {
        let (ends, middle) = (first + fourth, second + third)
        return (ends + middle + middle) / 6
    }

    private static func bend(_ place: SIMD3<Double>, _ direction: SIMD3<Double>) -> SIMD3<Double> {
        let normal = place * shape
        return normal * (-dot(direction, direction * shape) / dot(normal, normal))
    }

    private static func dot(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double { (one * other).sum() }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
