import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import Belfry

@Suite("Region feeds, with random input", .takesTurns, .timeLimit(.minutes(5)))
struct RegionFeedPropertyTests {
    static let seed = RandomSeed.current

    /// A walk through a town of 12 km by 12 km, somewhere on the earth, with more places than a feed takes.
    private struct Town {
        var places: [NoticeRequest] = []
        var walk: [(fix: LocationFix, pause: Duration)] = []
        static let largestRadius = 150.0
        static let size = 6_000

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let north = Double(random.number(-80...80))
            let east = random.pick([180, Double(random.number(-179...179))])
            func spot(_ y: Double, _ x: Double) -> (latitude: Double, longitude: Double) {
                let longitude = east + x / (111_320 * cos(north * .pi / 180))
                return (north + y / 111_000, longitude > 180 ? longitude - 360 : longitude)
            }
            for number in 0..<2_000 {
                let (latitude, longitude) = spot(
                    Double(random.number(-Self.size...Self.size)),
                    Double(random.number(-Self.size...Self.size))
                )
                let region = CircularRegion(
                    latitude: latitude,
                    longitude: longitude,
                    radius: Double(random.number(5...Int(Self.largestRadius)))
                )
                let trigger = LocationTrigger(
                    region: region,
                    edge: random.pick(CircularRegion.Edge.allCases),
                    dwell: random.chance(70) ? .zero : .seconds(random.number(1...200)),
                    repeats: random.chance(40)
                )
                places.append(NoticeRequest(id: "p\(number)", title: "Place \(number)", trigger: trigger))
            }
            var date = World.start
            var (y, x, heading) = (0.0, 0.0, 0.0)
            for _ in 0..<150 {
                heading += Double(random.number(-60...60)) * .pi / 180
                // Mostly on foot or by tram, at times by train.
                let step = Double(random.chance(95) ? random.number(0...250) : random.number(0...4_000))
                (y, x) = (y + step * cos(heading), x + step * sin(heading))
                if max(abs(y), abs(x)) > Double(Self.size) { (y, x) = (y / 3, x / 3) }
                let place = spot(y, x)
                let accuracy = random.chance(85) ? random.number(1...60) : random.number(60...900)
                let pause = random.number(1...90)
                date += Double(pause)
                let fix = LocationFix(
                    latitude: place.latitude,
                    longitude: place.longitude,
                    accuracy: Double(accuracy),
                    date: date
                )
                walk.append((fix, .seconds(pause)))
            }
        }

        func nearest(to fix: LocationFix, _ count: Int) -> [NoticeRequest] {
            let origin = EarthPoint(fix)
            let near = places.map { place -> (Double, NoticeRequest) in
                guard let region = (place.trigger as? LocationTrigger)?.region else { return (.infinity, place) }
                return (origin.distance(to: EarthPoint(region)), place)
            }
            return near.sorted { $0.0 < $1.0 }.prefix(count).map(\.1)
        }
    }

    private func events(
        of town: Town,
        _ prepare: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws -> [String] {
        let events = Mutex<[String]>([])
        try await RegionWorld.run { place in
            try await prepare(place.center)
            for (fix, pause) in town.walk {
                try await place.clock.advance(by: pause)
                place.position.report(fix)
                try await place.clock.settle()
            }
            try await place.clock.advance(by: .seconds(600))
            let all = place.world.recorder.deliveries.map {
                let at = $0.dueDate.timeIntervalSince(World.start)
                return "\($0.requestID) \($0.crossing?.rawValue ?? "?") at \(at)"
            }
            events.withLock { $0 = all.sorted() }
        }
        return events.withLock { $0 }
    }

    @Test("A walk with a feed onto thousands of places gives the events of all of them registered at once")
    func likeAll() async throws {
        var (sum, questions) = (0, 0)
        for life in 0..<2 as Range<UInt64> {
            let seed = Self.seed &+ life
            let town = Town(seed: seed)
            let all = try await events(of: town) { center in try await center.add(town.places) }
            let asked = Mutex(0)
            let feed = RegionFeed("town", nearest: 60, largestRadius: Town.largestRadius) { fix, count in
                asked.withLock { $0 += 1 }
                return town.nearest(to: fix, count)
            }
            let some = try await events(of: town) { center in try await center.startMonitoring(feed) }
            #expect(some == all, "seed \(seed)")
            sum += all.count
            questions += asked.withLock { $0 }
        }
        print("feeds: \(sum) events, \(questions) questions for 300 fixes; BELFRY_SEED=\(Self.seed)")
        #expect(sum > 20 && questions < 250)
    }
}
