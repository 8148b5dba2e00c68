import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("Journeys on the day of a clock change, and other news of zones", .takesTurns)
struct ClockChangeTravelTests {
    private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    /// Runs `body` with a request that was added in `zone`.
    private static func added(
        _ trigger: any NoticeTrigger,
        in zone: String,
        at date: String,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await World.run(at: Self.date(date), zone: .named(zone)) { world in
            try await world.center.add(.sample("pill", trigger))
            try await body(world)
        }
    }

    @Test("A journey east to a place that sets its clocks back that day loses no local time") func eastToFold()
        async throws
    {
        try await Self.added(.daily(at: "2:00"), in: "America/New_York", at: "2026-10-24T12:00:00Z") { world in
            // 1:35 becomes 6:35, and 2:00 lies between, before the clocks were set back.
            try await world.clock.advance(to: Self.date("2026-10-25T05:35:00Z"))
            try await world.clock.changeZone(to: .named("Europe/Berlin"))
            #expect(world.recorder.deliveries.map(\.dueDate) == [try Self.date("2026-10-25T00:00:00Z")])
            #expect(try await world.center.nextFireDate() == Self.date("2026-10-26T01:00:00Z"))
        }
    }

    @Test("A local time that has fired does not fire again where a clock change skips it") func westToGap()
        async throws
    {
        try await Self.added(.daily(at: "2:15"), in: "Asia/Tokyo", at: "2026-03-07T16:14:00Z") { world in
            try await world.clock.advance(by: .seconds(7_200))
            try await world.clock.changeZone(to: .named("America/New_York"))
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.deliveries.map(\.dueDate) == [try Self.date("2026-03-07T17:15:00Z")])
            #expect(try await world.center.nextFireDate() == Self.date("2026-03-09T06:15:00Z"))
        }
    }

    @Test("Each real hour fires where the clocks are set back, also of a trigger with a beginning, over restarts")
    func everyHour() async throws {
        for isSecondPass in [false, true] {
            let clock = ManualTriggerClock(
                date: try Self.date("2026-10-24T23:50:00Z"),
                zone: try .named("Europe/Berlin")
            )
            let store = MemoryRequestStore()
            let (first, second) = (try Self.date("2026-10-25T00:30:00Z"), try Self.date("2026-10-25T01:30:00Z"))
            let options = try CalendarTrigger.Options(
                policies: DatePolicies(repeatedTime: .last),
                starting: Self.date("2026-01-01T00:00:00Z")
            )
            let trigger = CalendarTrigger(matching: DateFields(minute: 30), repeats: true, options: options)
            try await World.run(on: clock, store: store) { world in
                try await world.center.add(.sample("pill", trigger))
                try await clock.advance(to: try Self.date("2026-10-25T00:05:00Z"))
                if isSecondPass { try await clock.advance(by: .seconds(1_800)) }
            }
            try await World.run(on: clock, store: store) { world in
                let next = try await world.center.nextFireDate()
                #expect(next == (isSecondPass ? second : first))
            }
        }
    }

    @Test("A local time that has fired does not fire again where it comes twice, whichever of them counts")
    func westToFold() async throws {
        let options = CalendarTrigger.Options(policies: DatePolicies(repeatedTime: .last))
        let trigger = CalendarTrigger(matching: DateFields(hour: 1, minute: 15), repeats: true, options: options)
        try await Self.added(trigger, in: "Asia/Tokyo", at: "2026-10-31T16:14:00Z") { world in
            try await world.clock.advance(by: .seconds(7_200))
            try await world.clock.changeZone(to: .named("America/Los_Angeles"))
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.deliveries.map(\.dueDate) == [try Self.date("2026-10-31T16:15:00Z")])
            #expect(try await world.center.nextFireDate() == Self.date("2026-11-02T09:15:00Z"))
        }
    }

    @Test("A local time that a clock change moved does not come again behind a longer gap") func gapToGap()
        async throws
    {
        // Daily at 2:30, without that time on 29 March: Berlin's gap has one hour, that of the station Troll two.
        try await Self.added(.daily(at: "2:30"), in: "Europe/Berlin", at: "2026-03-28T12:00:00Z") { world in
            try await world.clock.advance(to: Self.date("2026-03-29T02:00:00Z"))
            #expect(world.recorder.deliveries.map(\.dueDate) == [try Self.date("2026-03-29T01:30:00Z")])
            try await world.clock.changeZone(to: .named("Antarctica/Troll"))
            #expect(try await world.center.nextFireDate() == Self.date("2026-03-30T00:30:00Z"))
        }
    }

    @Test("A request without a date left in the new zone ends, as it would at a restart") func noDateLeft()
        async throws
    {
        // 9:00 in Berlin is before its end, and 9:00 in New York after it.
        let end = try Self.date("2026-01-10T08:30:00Z")
        let daily = CalendarTrigger(matching: DateFields(hour: 9), repeats: true, options: .init(until: end))
        try await Self.added(daily, in: "Europe/Berlin", at: "2026-01-09T18:00:00Z") { world in
            try await world.clock.changeZone(to: .named("America/New_York"))
            #expect(try await world.pendingIDs() == [])
            #expect(try await world.lastDetail(of: "pill", .missed) == "it has no date left")
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.deliveredIDs() == [])
        }
    }

    /// At an hour of the day in a zone of its own, whose data is updated.
    private struct OwnZoneTrigger: WallClockTrigger {
        static let kind: TriggerKind = "org.example.own-zone"
        static let offset = Mutex<Double>(0)
        var repeats: Bool { true }
        var followsSystemZone: Bool { false }

        func nextDate(after date: Date, in context: TriggerContext) -> Date? {
            let offset = Self.offset.withLock(\.self)
            let day = ((date.timeIntervalSince1970 + offset) / 86_400).rounded(.down) + 1
            return Date(timeIntervalSince1970: day * 86_400 - offset)
        }
    }

    @Test("New zone data moves the dates of a trigger with a zone of its own, too") func newData() async throws {
        OwnZoneTrigger.offset.withLock { $0 = 0 }
        try await World.run(at: World.start.addingTimeInterval(60)) { world in
            try await world.center.add(.sample("x", OwnZoneTrigger()))
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(86_400))
            OwnZoneTrigger.offset.withLock { $0 = 3_600 }
            // The clock reports an update of the data like a change of the zone.
            try await world.clock.changeZone(to: .utc)
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(23 * 3_600))
        }
    }
}
