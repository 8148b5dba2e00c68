import Foundation
import Testing

@testable import Belfry

@Suite("The window onto a larger store of places")
struct PlaceWindowTests {
    private let start = (latitude: 48.137, longitude: 11.575)

    private func distance(_ here: (latitude: Double, longitude: Double), _ region: CircularRegion) -> Double {
        Geodesic.distance(
            latitude: here.latitude,
            longitude: here.longitude,
            toLatitude: region.latitude,
            longitude: region.longitude
        )
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

    private func room(_ window: PlaceWindow, after metres: Double) -> Double {
        let end = place(metres, radius: 1, azimuth: 200)
        return window.room(latitude: end.latitude, longitude: end.longitude)
    }

    @Test("Before the first answer the source is asked, and after a stride again") func stride() {
        var window = PlaceWindow()
        #expect(window.isDue(latitude: start.latitude, longitude: start.longitude))
        let places = [place(20, radius: 100), place(9_000, radius: 100)]
        window.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(abs(room(window, after: 0) - 500) < 1e-3)
        #expect(room(window, after: 499) > 0)
        #expect(room(window, after: 501) < 0)
        #expect(window.isDue(latitude: .nan, longitude: 0))
    }

    @Test("A small slack to the farthest place makes it sooner; the whole store doesn't") func slack() {
        var window = PlaceWindow()
        let places = [place(150, radius: 50), place(300, radius: 80)]
        window.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(abs(room(window, after: 0) - 220) < 1e-3)
        window.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: true)
        #expect(abs(room(window, after: 0) - 500) < 1e-3)
        window = PlaceWindow(largestRadius: 290)
        window.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(abs(room(window, after: 0) - 10) < 1e-3)
        window = PlaceWindow(stride: 50, largestRadius: 1_000)
        window.renew(latitude: start.latitude, longitude: start.longitude, with: places, isAll: false)
        #expect(room(window, after: 0) == 0, "every fix asks where the answer reaches no farther than a place")
    }

    @Test("On a walk, every place that contains a fix is registered at that fix") func walk() {
        let seed = UInt64.random(in: 0...(.max))
        var random = RandomPlaces(seed: seed)
        let places = (0..<400).map { _ in
            place(random.number(0...8_000), radius: random.number(10...150), azimuth: random.number(0...360))
        }
        var window = PlaceWindow(largestRadius: 150)
        var here = start
        var (registered, questions, contained): (Set<Int>, Int, Int) = ([], 0, 0)
        var azimuth = 0.0
        for _ in 0..<400 {
            let distances = places.map { distance(here, $0) }
            if window.isDue(latitude: here.latitude, longitude: here.longitude) {
                let nearest = places.indices.sorted { distances[$0] < distances[$1] }.prefix(20)
                window.renew(
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

    @Test("What was stored is what is read") func coding() throws {
        var window = PlaceWindow(stride: 300, largestRadius: 70)
        window.renew(latitude: 1, longitude: 2, with: [place(2_000, radius: 60)], isAll: false)
        let read = try JSONDecoder().decode(PlaceWindow.self, from: JSONEncoder().encode(window))
        #expect(read == window)
    }
}
