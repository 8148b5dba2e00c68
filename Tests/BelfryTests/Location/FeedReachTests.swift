import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("How far an answer of a feed's source reaches")
struct FeedReachTests {
    private let start = (latitude: 48.137, longitude: 11.575)

    private func distance(_ here: (latitude: Double, longitude: Double), _ region: CircularRegion) -> Double {
        EarthPoint(latitude: here.latitude, longitude: here.longitude).distance(to: EarthPoint(region))
    }

    private func place(_ metres: Double, radius: Double, azimuth: Double = 40) -> CircularRegion {
        let end = GeodesicWalk.end(
            latitude: start.latitude,
            longitude: start.longitude,
            azimuth: azimuth,
            metres: metres
        )
        return CircularRegion(latitude: end.latitude, longitude: end.longitude, radius: radius)
    }

    private func room(_ reach: FeedReach, after metres: Double) -> Double {
        let end = place(metres, radius: 1, azimuth: 200)
        return reach.room(latitude: end.latitude, longitude: end.longitude)
    }

    @Test("Before the first answer the source is asked, and after a stride again") func stride() {
        var reach = FeedReach()
        #expect(reach.isDue(latitude: start.latitude, longitude: start.longitude))
        let places = [place(20, radius: 100), place(9_000, radius: 100)]
        reach.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(abs(room(reach, after: 0) - 500) < 1e-3)
        #expect(room(reach, after: 499) > 0)
        #expect(room(reach, after: 501) < 0)
        #expect(reach.isDue(latitude: .nan, longitude: 0))
    }

    @Test("A small slack to the farthest place makes it sooner; the whole store doesn't") func slack() {
        var reach = FeedReach()
        let places = [place(150, radius: 50), place(300, radius: 80)]
        reach.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(abs(room(reach, after: 0) - 220) < 0.5)
        reach.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: true)
        #expect(abs(room(reach, after: 0) - 500) < 1e-3)
        reach = FeedReach(largestRadius: 290)
        reach.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(abs(room(reach, after: 0) - 10) < 0.5)
        reach = FeedReach(stride: 50, largestRadius: 1_000)
        reach.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(room(reach, after: 0) == 0, "every fix asks where the answer reaches no farther than a place")
    }

    @Test("On a walk, every place that contains a fix is registered at that fix") func walk() {
        let seed = RandomSeed.current
        var random = RandomPlaces(seed: seed)
        let places = (0..<400).map { _ in
            place(random.number(0...8_000), radius: random.number(10...150), azimuth: random.number(0...360))
        }
        var reach = FeedReach(largestRadius: 150)
        var here = start
        var (registered, questions, contained): (Set<Int>, Int, Int) = ([], 0, 0)
        var azimuth = 0.0
        for _ in 0..<400 {
            let distances = places.map { distance(here, $0) }
            if reach.isDue(latitude: here.latitude, longitude: here.longitude) {
                let nearest = places.indices.sorted { distances[$0] < distances[$1] }.prefix(20)
                reach.renew(
                    latitude: here.latitude,
                    longitude: here.longitude,
                    with: nearest.map { places[$0] },
                    isAll: false
                )
                registered = Set(nearest)
                questions += 1
            }
            let around = places.indices.filter { distances[$0] <= places[$0].radius }
            contained += around.count
            #expect(registered.isSuperset(of: around), "seed \(seed)")
            azimuth += random.number(-40...40)
            here = GeodesicWalk.end(
                latitude: here.latitude,
                longitude: here.longitude,
                azimuth: distance(here, place(0, radius: 1)) > 6_000 ? random.number(0...360) : azimuth,
                metres: random.number(0...60)
            )
        }
        #expect(questions > 5 && questions < 200, "seed \(seed): \(questions) questions")
        #expect(contained > 0, "seed \(seed)")
    }

    @Test("The way to what is not known is as long as the answer reaches, and endless where there is no more")
    func unseen() {
        var reach = FeedReach()
        let here = (start.latitude, start.longitude)
        #expect(reach.unseen(latitude: here.0, longitude: here.1) == 0)
        let places = [place(150, radius: 50), place(9_000, radius: 80)]
        reach.renew(latitude: here.0, longitude: here.1, with: places, isAll: false)
        #expect(abs(reach.unseen(latitude: here.0, longitude: here.1) - 8_920) < 10)
        let there = place(8_000, radius: 1)
        #expect(abs(reach.unseen(latitude: there.latitude, longitude: there.longitude) - 920) < 10)
        reach.renew(latitude: here.0, longitude: here.1, with: [], isAll: true)
        #expect(reach.unseen(latitude: there.latitude, longitude: there.longitude) == .infinity)
        #expect(abs(room(reach, after: 0) - 500) < 1e-3)
    }
}
