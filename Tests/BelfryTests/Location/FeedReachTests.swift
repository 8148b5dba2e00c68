import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("How far an answer of a feed's source reaches", .takesTurns)
struct FeedReachTests {
    private let start = (latitude: 48.137, longitude: 11.575)

    private func region(_ meters: Double, radius: Double, azimuth: Double = 40) -> CircularRegion {
        let end = GeodesicWalk.end(
            latitude: start.latitude,
            longitude: start.longitude,
            azimuth: azimuth,
            meters: meters
        )
        return CircularRegion(latitude: end.latitude, longitude: end.longitude, radius: radius)
    }

    private func fix(_ meters: Double, azimuth: Double = 200) -> LocationFix {
        let center = region(meters, radius: 1, azimuth: azimuth)
        return LocationFix(latitude: center.latitude, longitude: center.longitude, date: .distantPast)
    }

    private func reach(_ regions: [CircularRegion], isAll: Bool = false, largestRadius: Double? = nil) -> FeedReach {
        FeedReach(regions, isAll: isAll, around: fix(0), largestRadius: largestRadius)
    }

    /// Meters that may be gone before the source is asked again.
    private func room(_ reach: FeedReach, stride: Double = 500) -> Double {
        (0...1_000).first { reach.isLeft(at: fix(Double($0)), stride: stride) }.map(Double.init) ?? .infinity
    }

    @Test("After a stride the source is asked again") func stride() {
        let reach = reach([region(20, radius: 100), region(9_000, radius: 100)])
        #expect(abs(room(reach) - 500) <= 1)
        #expect(abs(room(reach, stride: 50) - 50) <= 1)
    }

    @Test("A small slack to the farthest region makes it sooner; the whole source doesn't") func slack() {
        let regions = [region(150, radius: 50), region(300, radius: 80)]
        #expect(abs(room(reach(regions)) - 220) <= 1)
        #expect(abs(room(reach(regions, isAll: true)) - 500) <= 1)
        #expect(abs(room(reach(regions, largestRadius: 290)) - 10) <= 1)
        let short = reach(regions, largestRadius: 1_000)
        #expect(
            short.isLeft(at: fix(0), stride: 50),
            "every fix asks where the answer reaches no farther than a region"
        )
    }

    @Test("On a walk, every region that contains a fix is registered at that fix") func walk() {
        let seed = RandomSeed.current
        var random = RandomRegions(seed: seed)
        let regions = (0..<400).map { _ in
            region(random.number(0...8_000), radius: random.number(10...150), azimuth: random.number(0...360))
        }
        let origin = EarthPoint(fix(0))
        var reach: FeedReach?
        var here = fix(0)
        var (registered, questions, contained): (Set<Int>, Int, Int) = ([], 0, 0)
        var azimuth = 0.0
        for _ in 0..<400 {
            let distances = regions.map { EarthPoint($0).distance(to: EarthPoint(here)) }
            if reach?.isLeft(at: here, stride: 500) ?? true {
                let nearest = regions.indices.sorted { distances[$0] < distances[$1] }.prefix(20)
                reach = FeedReach(nearest.map { regions[$0] }, isAll: false, around: here, largestRadius: 150)
                registered = Set(nearest)
                questions += 1
            }
            let around = regions.indices.filter { distances[$0] <= regions[$0].radius }
            contained += around.count
            #expect(registered.isSuperset(of: around), "seed \(seed)")
            azimuth += random.number(-40...40)
            let end = GeodesicWalk.end(
                latitude: here.latitude,
                longitude: here.longitude,
                azimuth: EarthPoint(here).distance(to: origin) > 6_000 ? random.number(0...360) : azimuth,
                meters: random.number(0...60)
            )
            here = LocationFix(latitude: end.latitude, longitude: end.longitude, date: .distantPast)
        }
        #expect(questions > 5 && questions < 200, "seed \(seed): \(questions) questions")
        #expect(contained > 0, "seed \(seed)")
    }

    @Test("The way to what is not known is as long as the answer reaches, and endless where there is no more")
    func unknown() {
        let reach = reach([region(150, radius: 50), region(9_000, radius: 80)])
        #expect(abs(reach.unknown(from: fix(0)) - 8_920) < 10)
        #expect(abs(reach.unknown(from: fix(8_000, azimuth: 40)) - 920) < 10)
        #expect(self.reach([], isAll: true).unknown(from: fix(8_000)) == .infinity)
        #expect(abs(room(self.reach([], isAll: true)) - 500) <= 1)
    }
}
