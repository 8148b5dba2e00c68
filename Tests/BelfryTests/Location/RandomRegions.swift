import Foundation
import SeededRandom

@testable import Belfry

/// Places and regions as tests need them: anywhere, and more of them where mistakes are likely.
struct RandomRegions {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

    /// Anywhere, at the poles, at the antimeridian, on the equator, or in one city; the longitude may have some turns
    /// too many.
    mutating func place() -> (latitude: Double, longitude: Double) {
        switch random.number(0...9) {
        case 0: (90 - pow(10, number(-7...1)), number(-180...180))
        case 1: (-90 + pow(10, number(-7...1)), number(-180...180))
        case 2: random.pick([(90, number(-180...180)), (-90, number(-180...180)), (0, 0), (0, 180), (0, -180)])
        case 3: (number(-60...60), random.pick([-180, 180]) + number(-0.01...0.01))
        case 4: (random.pick([0, number(-0.01...0.01)]), number(-180...180))
        case 5: (number(-90...90), number(-1_000...1_000))
        case 6, 7: (number(52.4...52.6), number(13.2...13.6))
        default: (asin(number(-1...1)) * 180 / .pi, number(-180...180))
        }
    }

    /// 1 m to 1,000 km, each order of magnitude as often.
    mutating func radius() -> Double { min(max(pow(10, number(0...6)), 1), 1_000_000) }

    mutating func region() -> CircularRegion {
        let place = place()
        return CircularRegion(latitude: place.latitude, longitude: place.longitude, radius: radius())
    }

    /// A position up to twice the radius from a region's centre, often right at the border.
    mutating func position(near region: CircularRegion) -> (latitude: Double, longitude: Double) {
        let share = random.chance(50) ? number(0...2) : 1 + number(-1...1) * pow(10, number(-9...0))
        return GeodesicWalk.end(
            latitude: region.latitude,
            longitude: region.longitude,
            azimuth: number(0...360),
            meters: region.radius * share
        )
    }
}
