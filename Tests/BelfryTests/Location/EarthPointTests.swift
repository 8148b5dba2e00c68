import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Distances on the ellipsoid", .takesTurns)
struct EarthPointTests {
    private func distance(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
        EarthPoint(latitude: one.0, longitude: one.1).distance(to: EarthPoint(latitude: other.0, longitude: other.1))
    }

    /// Meters by which a distance may be wrong; the grain of a double is a nanometer there.
    private func tolerance(_ meters: Double) -> Double {
        let part = meters <= 1_000_000 ? EarthPoint.relativeError / 50 : EarthPoint.relativeError
        return part * meters + 1e-7
    }

    private func check(_ distances: [DistanceVector], _ regions: [RegionVector]) {
        for vector in distances {
            let found = distance((vector.lat1, vector.lon1), (vector.lat2, vector.lon2))
            #expect(
                abs(found - vector.distance) <= tolerance(vector.distance),
                "\(vector.id): \(found), not \(vector.distance)"
            )
        }
        for vector in regions {
            let center = (vector.centerLatitude, vector.centerLongitude)
            let found = distance(center, (vector.latitude, vector.longitude))
            #expect(
                abs(found - vector.distance) <= tolerance(vector.distance),
                "\(vector.id): \(found), not \(vector.distance)"
            )
            #expect((found <= vector.radius) == vector.inside, "\(vector.id)")
        }
    }

    @Test("Every shared distance and region is as GeographicLib has it") func shared() throws {
        guard let distances = try RegionVectors.shared("distances.jsonl", as: DistanceVector.self),
            let regions = try RegionVectors.shared("regions.jsonl", as: RegionVector.self)
        else { return }
        check(distances, regions)
    }

    @Test("Every distance and region of the sample is as GeographicLib has it") func sample() throws {
        let distances = try RegionVectors.sample("distances.jsonl", as: DistanceVector.self)
        let regions = try RegionVectors.sample("regions.jsonl", as: RegionVector.self)
        #expect(distances.count >= 10 && regions.count >= 100)
        check(distances, regions)
    }

    @Test("Who walks straight on for some meters is that far away, from a meter to 19,000 km") func walks() {
        let seed = RandomSeed.current
        var places = RandomRegions(seed: seed)
        var (worstNear, worst) = (0.0, 0.0)
        for round in 0..<600 {
            let start = places.place()
            let meters = pow(10, places.number(0...(round % 4 == 0 ? 7.27 : 6)))
            let azimuth = places.number(0...360)
            let end = GeodesicWalk.end(
                latitude: start.latitude,
                longitude: start.longitude,
                azimuth: azimuth,
                meters: meters
            )
            let error = abs(distance(start, end) - meters)
            #expect(error <= tolerance(meters), "seed \(seed): \(meters) m from \(start) at \(azimuth)°: \(error) m")
            if meters > 100, meters <= 1_000_000 { worstNear = max(worstNear, error / meters) }
            if meters > 100 { worst = max(worst, error / meters) }
        }
        print("distances: wrong by \(worstNear) of them up to 1,000 km, by \(worst) at most; seed \(seed)")
    }

    @Test("Next to the antipode, where the error is largest, it is within its bound") func nearAntipodes() {
        let seed = RandomSeed.current
        var places = RandomRegions(seed: seed)
        var worst = 0.0
        for round in 0..<400 {
            // From the equator on, where a walk along it and a walk over a pole differ most.
            let north = round % 2 == 0 ? places.number(-1...1) : places.number(-90...90)
            let (start, azimuth) = ((north, places.number(-180...180)), places.number(0...360))
            // A walk is the shortest way up to the cut locus, which is 0.3 % of the way from the antipode at the most.
            let meters = places.number(19_800_000...19_930_000)
            let end = GeodesicWalk.end(latitude: start.0, longitude: start.1, azimuth: azimuth, meters: meters)
            worst = max(worst, abs(distance(start, end) - meters) / meters)
        }
        #expect(worst <= EarthPoint.relativeError, "seed \(seed)")
        print("distances: wrong by \(worst) next to antipodes, seed \(seed)")
    }

    @Test("It is as far there as back, and turns of the longitude don't count") func symmetry() {
        let seed = RandomSeed.current
        var places = RandomRegions(seed: seed)
        for _ in 0..<2_000 {
            let (one, other) = (places.place(), places.place())
            let found = distance(one, other)
            #expect((0...20_003_931.458_626).contains(found), "seed \(seed): \(one) \(other)")
            #expect(distance(other, one) == found, "seed \(seed): \(one) \(other)")
            let turned = (other.latitude, other.longitude + 360 * Double(places.random.number(-2...2)))
            #expect(abs(distance(one, turned) - found) < 1e-5, "seed \(seed): \(one) \(turned)")
            let mirrored = distance((-one.latitude, -one.longitude), (-other.latitude, -other.longitude))
            #expect(abs(mirrored - found) < 1e-5, "seed \(seed): \(one) \(other)")
            let points = (
                EarthPoint(latitude: one.latitude, longitude: one.longitude),
                EarthPoint(latitude: other.latitude, longitude: other.longitude)
            )
            #expect(points.0.leastDistance(to: points.1) <= found, "seed \(seed): \(one) \(other)")
        }
    }

    @Test("Antipodes are half a meridian apart, and beside them the equator is the shortest way") func antipodes() {
        let half = 20_003_931.458_625
        for (one, other) in [
            ((0.0, 0.0), (0.0, 180.0)), ((90, 0), (-90, 77)), ((30, 10), (-30, -170)), ((89.999, 5), (-89.999, -175)),
        ] {
            #expect(abs(distance(one, other) - half) <= 20, "\(one) \(other)")
        }
        let alongEquator = 179 * 6_378_137 * Double.pi / 180
        for north in [0, 1e-300, 1e-12, 1e-9] {
            #expect(abs(distance((0, 0), (north, 179)) - alongEquator) < 1e-5 * alongEquator, "\(north)")
        }
        // GeographicLib's: the shortest way bends towards a pole.
        #expect(abs(distance((0, 0), (0, 179.5)) - 19_980_861.9) < 0.000_5 * half)
        #expect(abs(distance((0, 0), (0.5, 179.5)) - 19_936_288.579) < 0.000_5 * half)
    }

    @Test("A coordinate that is no number has no distance") func noNumbers() {
        for bad in [Double.nan, .infinity, -.infinity] {
            #expect(distance((bad, 0), (0, 0)).isNaN && distance((0, 0), (bad, 0)).isNaN)
            #expect(distance((0, bad), (0, 0)).isNaN && distance((0, 0), (0, bad)).isNaN)
        }
        #expect(distance((0, 1e300), (0, 0)).isFinite)
        #expect(distance((12, 34), (12, 34)) == 0)
    }
}
