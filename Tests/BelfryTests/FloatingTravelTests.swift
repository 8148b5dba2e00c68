import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("What floats counts from the local time at which it was added", .takesTurns)
struct FloatingTravelTests {
    /// 2026-01-01, a date whose parts are given.
    private static func date(hour: Int, minute: Int = 0) -> CalendarTrigger {
        CalendarTrigger(
            matching: DateFields(year: 2026, month: 1, day: 1, hour: hour, minute: minute),
            repeats: false
        )
    }

    private static func hour(_ hour: Int, minute: Int = 0, repeats: Bool = false) -> CalendarTrigger {
        CalendarTrigger(matching: DateFields(hour: hour, minute: minute), repeats: repeats)
    }

    /// Adds requests at 8:00 in London and starts again after `span`, somewhere else.
    private static func added(
        _ requests: [NoticeRequest],
        restartedIn zone: String,
        after span: Duration,
        byAnEarlierVersion isOld: Bool = false,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let store = MemoryRequestStore()
        let eight = World.start.addingTimeInterval(8 * 3_600)
        let clock = ManualTriggerClock(date: eight, zone: try .named("Europe/London"))
        try await World.run(on: clock, store: store) { world in try await world.center.add(requests) }
        if isOld {
            for pending in try await store.load().pending {
                let progress = TriggerProgress(anchor: pending.progress.anchor)
                try await store.commit([.updateProgress(revision: pending.revision, progress)])
            }
        }
        try await clock.advance(by: span)
        try await clock.changeZone(to: .named(zone))
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            try await body(world)
        }
    }

    @Test("One due at 15:00 comes after a journey to Tokyo that lasts beyond it, whatever its form")
    func restartedInTheEast() async throws {
        let requests = [
            NoticeRequest.sample("date", Self.date(hour: 15)), .sample("hour", Self.hour(15)),
            .sample("daily", Self.hour(15, repeats: true)),
            .sample("rule", try RecurrenceTrigger(.onCalendar("2026-01-01 15:00"))),
        ]
        try await Self.added(requests, restartedIn: "Asia/Tokyo", after: .seconds(16 * 3_600)) { world in
            #expect(Set(world.deliveredIDs()) == ["date", "hour", "daily", "rule"])
            // 15:00 in Tokyo, which was 6:00 in London.
            #expect(world.dues().allSatisfy { $0 == 6 * 3_600 })
            let pending = try await world.center.pending()
            #expect(pending.map(\.id) == ["daily"])
            #expect(pending.map(\.next) == [World.start.addingTimeInterval(30 * 3_600)])
        }
    }

    @Test("What an earlier version stored counts from the local time of the zone that was stored with it")
    func storedByAnEarlierVersion() async throws {
        let requests = [
            NoticeRequest.sample("date", Self.date(hour: 15)), .sample("fixed", DateTrigger(date: .distantFuture)),
        ]
        try await Self.added(
            requests,
            restartedIn: "Asia/Tokyo",
            after: .seconds(16 * 3_600),
            byAnEarlierVersion: true
        ) { world in
            #expect(world.deliveredIDs() == ["date"])
            let pending = try await world.pendingIDs()
            #expect(pending == ["fixed"])
        }
    }

    @Test("A local time that a journey east jumps over is due at once, also on the day of adding")
    func jumpedOverWhileRunning() async throws {
        try await World.run(at: World.start.addingTimeInterval(10 * 3_600)) { world in
            try await world.center.add([
                .sample("hour", Self.hour(11)), .sample("date", Self.date(hour: 11)),
                .sample("later", Self.date(hour: 13)),
            ])
            try await world.clock.advance(by: .seconds(600))
            try await world.clock.changeZone(to: .named("Etc/GMT-2"))
            #expect(Set(world.deliveredIDs()) == ["hour", "date"])
            #expect(world.dueHours() == [9, 9])
            let eleven = World.start.addingTimeInterval(11 * 3_600)
            #expect(try await world.center.nextFireDate() == eleven)
        }
    }

    @Test("A local time that was past when the request was added does not come again in the west")
    func pastInTheWest() async throws {
        try await World.run(at: World.start.addingTimeInterval(10 * 3_600)) { world in
            try await world.center.add([
                .sample("tomorrow", Self.hour(9, minute: 30)), .sample("today", Self.hour(10, minute: 30)),
            ])
            try await world.clock.advance(by: .seconds(300))
            try await world.clock.changeZone(to: .named("Etc/GMT+1"))
            try await world.clock.advance(by: .seconds(2 * 3_600))
            #expect(world.deliveredIDs() == ["today"])
            #expect(world.dueHours() == [11.5])
            let tomorrow = World.start.addingTimeInterval(34.5 * 3_600)
            #expect(try await world.center.nextFireDate(of: "tomorrow") == tomorrow)
        }
    }

    @Test("A clock that is set back moves the local time of adding with the adding") func setBack() async throws {
        try await World.run(at: World.start.addingTimeInterval(10 * 3_600)) { world in
            try await world.center.add(.sample("hour", Self.hour(9, minute: 30)))
            try await world.clock.set(wall: World.start.addingTimeInterval(9 * 3_600))
            let halfPastNine = World.start.addingTimeInterval(9.5 * 3_600)
            #expect(try await world.center.nextFireDate() == halfPastNine)
            try await world.clock.changeZone(to: .named("Etc/GMT-2"))
            #expect(world.dueHours() == [7.5])
        }
    }
}
