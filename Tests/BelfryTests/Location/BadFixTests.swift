import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Fixes that can't be true are ignored, counted and told", .takesTurns)
struct BadFixTests {
    private let here = RegionWorld.region()

    private static let bad: [(NoticeCenter.LocationReport.Reason, LocationFix)] = {
        let now = World.start
        func fix(_ latitude: Double, _ longitude: Double, _ accuracy: Double? = 5, _ at: Date = now) -> LocationFix {
            LocationFix(latitude: latitude, longitude: longitude, accuracy: accuracy, date: at)
        }
        return [
            (.invalidPosition, fix(.nan, 0)), (.invalidPosition, fix(0, .nan)), (.invalidPosition, fix(.infinity, 0)),
            (.invalidPosition, fix(0, -.infinity)), (.invalidPosition, fix(90.000_001, 0)),
            (.invalidPosition, fix(-91, 0)), (.invalidPosition, fix(0, 180.1)),
            (.invalidAccuracy, fix(0, 0, -1)), (.invalidAccuracy, fix(0, 0, .nan)),
            (.invalidAccuracy, fix(0, 0, .infinity)),
            (.fromTheFuture, fix(0, 0, 5, now.addingTimeInterval(301))),
            (.fromTheFuture, fix(0, 0, 5, Date(timeIntervalSince1970: .infinity))),
            (.fromTheFuture, fix(0, 0, 5, Date(timeIntervalSince1970: .nan))),
            (.outOfOrder, fix(0, 0, 5, now.addingTimeInterval(-0.5))),
            (.outOfOrder, fix(0, 0, 5, Date(timeIntervalSince1970: -1e300))),
        ]
    }()

    @Test("Each kind is ignored: no alarm, no state, one event for a kind, and all of them counted") func ignored()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.go(500)
            let events = await place.center.events()
            for (_, fix) in Self.bad + Self.bad { place.position.report(fix) }
            try await place.clock.settle()
            #expect(place.crossings() == [])
            let report = try await place.center.locationReport()
            for reason in Set(Self.bad.map(\.0)) {
                #expect(report.ignored[reason] == 2 * Self.bad.count { $0.0 == reason }, "\(reason)")
            }
            #expect(report.accepted == 1 && report.fix?.longitude == 500 / RegionWorld.meters)
            // The world goes on.
            try await place.go([0, 500])
            #expect(place.crossings() == [.entered, .left])
            var problems: [NoticeError] = []
            for await event in events {
                if case .error(let error) = event { problems.append(error) }
                if problems.count == 4 { break }
            }
            #expect(problems.allSatisfy { $0.code == .positionIgnored && $0.message.contains("ignored") })
        }
    }

    @Test("A fix that is a little ahead of the clock counts, as made now, and hides no later one") func ahead()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.go(500, ago: -299)
            try await place.go(0, ago: -60)
            try await place.go(500)
            #expect(place.crossings() == [.entered, .left])
            for delivery in place.world.recorder.deliveries {
                #expect(delivery.dueDate == place.clock.date && delivery.late == .zero)
            }
        }
    }

    @Test("A wall clock that is set back or forward doesn't make fixes old") func clockSet() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.go(500)
            try await place.clock.set(wall: World.start.addingTimeInterval(-86_400 * 400))
            try await place.go([0, 500])
            try await place.clock.set(wall: World.start.addingTimeInterval(86_400 * 400))
            try await place.go(0)
            #expect(place.crossings() == [.entered, .left, .entered])
            #expect(try await place.center.locationReport().ignored == [:])
        }
    }

    @Test("After a restart a fix from before the last crossing tells nothing") func oldAfterRestart() async throws {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.add("a", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.go(500)
            try await clock.advance(by: .seconds(600))
            try await place.go(0)
        }
        try await clock.advance(by: .seconds(60))
        try await RegionWorld.run(on: clock, store: store) { place in
            // What the service remembers of the way home.
            try await place.go(500, ago: 300)
            try await place.go(0)
            #expect(place.crossings() == [])
            #expect(try await place.center.locationReport().ignored == [.outOfOrder: 1])
        }
    }

    @Test("Too many at once: the newest are taken in, the others are counted, and nothing stands still") func flood()
        async throws
    {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            try await place.add("a", LocationTrigger(region: here))
            try await place.go(500)
            store.stallTransactions()
            async let adding: Void = place.add("b", LocationTrigger(region: here))
            await store.waitUntilStalled()
            for step in 0..<5_000 {
                place.position.report(RegionWorld.fix(500 + Double(step), at: place.clock.date))
            }
            store.release()
            _ = try await adding
            try await place.clock.settle()
            let report = try await place.center.locationReport()
            #expect(report.accepted + (report.ignored[.tooMany] ?? 0) == 5_001)
            #expect(report.ignored[.tooMany] ?? 0 > 3_000)
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["a", "b"])
        }
    }

    @Test("While the store fails the newest 64 wait to be judged; the others are counted") func storeFails()
        async throws
    {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            try await place.add("a", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.go(500)
            store.failTransactions()
            let away = (0..<100).map { 500 + Double($0) }
            try await place.go([0] + away + [0])
            store.succeed()
            try await place.clock.advance(by: .seconds(60))
            #expect(place.crossings() == [.entered])
            let report = try await place.center.locationReport()
            #expect(report.inside == 1 && report.accepted == 103 && report.ignored == [.tooMany: 102 - 64])
        }
    }
}
