import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Distances on the ellipsoid")
struct GeodesicTests {
    private func distance(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
        Geodesic.distance(latitude: one.0, longitude: one.1, toLatitude: other.0, longitude: other.1)
    }

    private func check(_ distances: [DistanceVector], _ regions: [RegionVector]) {
        for vector in distances {
            let found = distance((vector.lat1, vector.lon1), (vector.lat2, vector.lon2))
            #expect(
                abs(found - vector.distance) < Geodesic.errorBound,
                "\(vector.id): \(found), not \(vector.distance)"
            )
        }
        for vector in regions {
            let centre = (vector.centerLatitude, vector.centerLongitude)
            let found = distance(centre, (vector.latitude, vector.longitude))
            #expect(
                abs(found - vector.distance) < Geodesic.errorBound,
                "\(vector.id): \(found), not \(vector.distance)"
            )
            #expect((found <= vector.radius) == vector.inside, "\(vector.id)")
        }
    }

    @Test("Every shared distance and region is as GeographicLib has it") func shared() throws {
        guard let distances = try PlaceVectors.shared("distances.jsonl", as: DistanceVector.self),
            let regions = try PlaceVectors.shared("regions.jsonl", as: RegionVector.self)
        else { return }
        check(distances, regions)
    }

    @Test("Every distance and region of the sample is as GeographicLib has it") func sample() throws {
        let distances = try PlaceVectors.sample("distances.jsonl", as: DistanceVector.self)
        let regions = try PlaceVectors.sample("regions.jsonl", as: RegionVector.self)
        #expect(distances.count >= 10 && regions.count >= 100)
        check(distances, regions)
    }

    @Test("Who walks straight on for some metres is that far away, from a metre to 19,000 km") func walks() {
        let seed = RandomSeed.current
        var places = RandomPlaces(seed: seed)
        var worst = 0.0
        for round in 0..<600 {
            let start = places.place()
            let metres = pow(10, places.number(0...(round % 4 == 0 ? 7.27 : 6)))
            let azimuth = places.number(0...360)
            let end = GeodesicWalk.end(
                latitude: start.latitude,
                longitude: start.longitude,
                azimuth: azimuth,
                metres: metres
            )
            let found = distance(start, end)
            worst = max(worst, abs(found - metres))
            #expect(
                abs(found - metres) < Geodesic.errorBound / 4,
                "seed \(seed): \(metres) m from \(start) at \(azimuth)°: \(found)"
            )
        }
        print("distances: at most \(worst) m wrong, seed \(seed)")
    }

    @Test("It is as far there as back, and turns of the longitude don't count") func symmetry() {
        let seed = RandomSeed.current
        var places = RandomPlaces(seed: seed)
        for _ in 0..<2_000 {
            let (one, other) = (places.place(), places.place())
            let found = distance(one, other)
            #expect((0...20_003_931.458_626).contains(found), "seed \(seed): \(one) \(other)")
            #expect(abs(distance(other, one) - found) < 1e-7, "seed \(seed): \(one) \(other)")
            let turned = (other.latitude, other.longitude + 360 * Double(places.random.number(-2...2)))
            #expect(abs(distance(one, turned) - found) < 1e-7, "seed \(seed): \(one) \(turned)")
            let mirrored = distance((-one.latitude, -one.longitude), (-other.latitude, -other.longitude))
            #expect(abs(mirrored - found) < 1e-7, "seed \(seed): \(one) \(other)")
        }
    }

    @Test("Antipodes: no way is longer than over a pole, and none jumps") func antipodes() {
        // Half a meridian, by its series; a degree from the antipode the equator itself is the shortest way.
        #expect(abs(distance((0, 0), (0, 180)) - 20_003_931.458_625_447) < 1e-6)
        #expect(abs(distance((90, 0), (-90, 77)) - 20_003_931.458_625_447) < 1e-6)
        #expect(abs(distance((30, 10), (-30, -170)) - 20_003_931.458_625_447) < 1e-6)
        // Over the nearer pole, which is as far as a hair's breadth beside it.
        for (north, other) in [(60.0, 30.0), (-60, -30), (80, -10), (-80, 10), (45, 20), (-89, 1)] {
            let over = distance((north, 0), (other, 180))
            #expect(abs(over - distance((north, 0), (other, 179.999_999_99))) < 0.002, "\(north), \(other)")
            #expect(over <= 20_003_931.458_625_447, "\(north), \(other)")
        }
        let alongEquator = 179 * 6_378_137 * Double.pi / 180
        for north in [0, 1e-300, 1e-12, 1e-9] {
            #expect(abs(distance((0, 0), (north, 179)) - alongEquator) < 1e-6, "\(north)")
            #expect(abs(distance((-north, 179), (north / 3, 0)) - alongEquator) < 1e-6, "\(north)")
        }
        let seed = RandomSeed.current
        var places = RandomPlaces(seed: seed)
        for _ in 0..<300 {
            let one = places.place()
            let other = (
                min(max(-one.latitude + places.number(-4...4), -90), 90), one.longitude + 180 + places.number(-4...4)
            )
            let found = distance(one, other)
            for share in [1e-5, 0.3, 1] {
                let beside = (min(max(other.0 + share * places.number(-1...1), -90), 90), other.1)
                let apart = distance(other, beside)
                #expect(abs(distance(one, beside) - found) <= apart + 1e-6, "seed \(seed): \(one) \(other) \(beside)")
            }
        }
    }

    @Test("The short formula and the arc meet without a step") func seam() {
        let seed = RandomSeed.current
        var places = RandomPlaces(seed: seed)
        for _ in 0..<500 {
            let start = (places.number(-80...80), places.number(-180...180))
            let azimuth = places.number(0...360)
            let end = GeodesicWalk.end(latitude: start.0, longitude: start.1, azimuth: azimuth, metres: 9_999.9)
            let arc = GeodesicArc.length(
                fromLatitude: start.0,
                toLatitude: end.latitude,
                east: (end.longitude - start.1).remainder(dividingBy: 360)
            )
            #expect(abs(distance(start, end) - arc) < 5e-8, "seed \(seed): \(start) at \(azimuth)°")
        }
    }

    @Test("A coordinate that is no number has no distance") func noNumbers() {
        for bad in [Double.nan, .infinity, -.infinity] {
            #expect(distance((bad, 0), (0, 0)).isNaN && distance((0, 0), (bad, 0)).isNaN)
            #expect(distance((0, bad), (0, 0)).isNaN && distance((0, 0), (0, bad)).isNaN)
        }
        #expect(distance((0, 1e300), (0, 0)).isFinite)
    }
}
