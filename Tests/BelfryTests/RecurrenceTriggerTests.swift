import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Recurrence triggers", .takesTurns)
struct RecurrenceTriggerTests {
    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test(
        "Each notation fires at its dates",
        arguments: [
            (
                RecurrenceTrigger.Rule.rrule("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=25;BYSECOND=0"),
                "2026-01-05T09:25:00Z"
            ),
            (.cron("25 9 * * 1"), "2026-01-05T09:25:00Z"),
            (.onCalendar("Mon 09:25"), "2026-01-05T09:25:00Z"),
        ]
    )
    func notations(_ rule: RecurrenceTrigger.Rule, _ first: String) throws {
        let trigger = try RecurrenceTrigger(rule, zone: .named("UTC"), starting: World.start)
        let dates = trigger.previewOccurrences(3, after: World.start, in: .utc)
        let monday = try date(first)
        #expect(dates == [monday, monday.addingTimeInterval(604_800), monday.addingTimeInterval(1_209_600)])
        #expect(trigger.nextTriggerDate(after: World.start, in: .utc) == monday)
    }

    @Test("Start, end and count bound a rule") func bounds() throws {
        let start = try date("2026-01-10T08:00:00Z")
        let end = try date("2026-01-13T08:00:00Z")
        let daily = try RecurrenceTrigger(.onCalendar("08:00"), zone: .named("UTC"), starting: start, until: end)
        #expect(daily.previewOccurrences(10, after: World.start, in: .utc).count == 4)
        #expect(daily.nextTriggerDate(after: World.start, in: .utc) == start)
        let twice = try RecurrenceTrigger(.onCalendar("08:00"), zone: .named("UTC"), starting: start, count: 2)
        #expect(twice.previewOccurrences(10, after: World.start, in: .utc).count == 2)
    }

    @Test("Through the center: fires, counts, and ends") func throughCenter() async throws {
        try await World.run { world in
            let trigger = try RecurrenceTrigger(.cron("0 8 * * *"), count: 3)
            try await world.center.add(.sample("daily", trigger))
            try await world.clock.advance(by: .seconds(86_400 * 30))
            #expect(world.deliveredIDs() == ["daily", "daily", "daily"])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test(
        "A rule is compiled once for its zones, however often it is asked",
        arguments: [
            RecurrenceTrigger.Rule.rrule("FREQ=MINUTELY;BYSETPOS=1;BYSECOND=0,30;COUNT=30000"),
            .rrule("DTSTART;TZID=Europe/Berlin:20260101T010000\nRRULE:FREQ=MINUTELY"), .cron("* * * * *"),
            .onCalendar("*:* Europe/Berlin"),
        ]
    )
    func compiledOnce(_ rule: RecurrenceTrigger.Rule) async throws {
        let trigger = try RecurrenceTrigger(rule, starting: World.start)
        let tokyo = try ZoneRules.named("Asia/Tokyo")
        try await World.run { world in
            try await world.center.add(.sample("minutes", trigger))
            // 480 dates are missed, the clock is set: all in the zone that the rule was checked in.
            try await world.clock.suspend(for: .seconds(8 * 3_600))
            #expect(world.deliveredIDs() == ["minutes"])
            try await world.clock.set(wall: World.start.addingTimeInterval(8 * 3_600 + 90))
            #expect(trigger.dates.compilationCount == 1)
            try await world.clock.changeZone(to: tokyo)
            try await world.clock.advance(by: .seconds(600))
            #expect(trigger.dates.compilationCount <= 2)
        }
        let copy = trigger
        #expect(copy.dates === trigger.dates)
    }

    @Test("Of a count, missed dates are counted a slice at a time, and all of them") func slices() async throws {
        let (count, slice) = (100_000, MissedFirings.countLimit)
        let trigger = try RecurrenceTrigger(.rrule("FREQ=SECONDLY"), starting: World.start, count: count)
        try await World.run { world in
            try await world.center.add(.sample("seconds", trigger))
            try await world.clock.suspend(for: .seconds(count + 10))
            // The last one is late, and shown; no turn has counted more than a slice of those before.
            #expect(world.dues() == [Double(count)])
            let missed = try await world.center.history().filter { $0.outcome == .missed }.compactMap { entry in
                entry.detail?.split(separator: " ").first.flatMap { Int($0) }
            }
            #expect(missed.reduce(0, +) == count - 1)
            #expect(missed.allSatisfy { $0 <= slice } && missed.count == count / slice)
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A slice of a count that was stored is gone on from after a restart") func slicesAndRestart() throws {
        let start = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 0)
        func later(_ seconds: Int64) -> TriggerInstant {
            TriggerInstant(wall: start.wall + seconds * 1_000_000, boot: seconds * 1_000_000)
        }
        var schedule = Schedule(zone: .utc, at: start)
        _ = schedule.handle(.started, at: start)
        let trigger = try RecurrenceTrigger(.rrule("FREQ=SECONDLY"), starting: World.start, count: 50_000)
        _ = try schedule.change(at: start) { try $0.add([.sample("seconds", trigger)]) }
        _ = schedule.handle(.woke, at: later(20_005))
        let entry = try #require(schedule.entries["seconds"])
        #expect(entry.progress.fired == MissedFirings.countLimit)
        // What was counted last lies before what is due next, which is due still.
        #expect(entry.progress.lastDue == later(Int64(MissedFirings.countLimit)).wall)
        #expect(entry.deadline == later(Int64(MissedFirings.countLimit) + 1).wall)
        #expect(schedule.nextWake?.wall == entry.deadline)
    }

    @Test("What can't be read names the column, what can't fire is refused") func refused() async throws {
        let error = #expect(throws: NoticeError.self) { try RecurrenceTrigger(.cron("61 * * * *")) }
        #expect(error?.code == .invalidNotation)
        #expect(error?.message.contains("column") == true, "\(error?.message ?? "")")
        try await World.run { world in
            let impossible = try RecurrenceTrigger(.onCalendar("*-02-30"))
            let error = await #expect(throws: NoticeError.self) {
                try await world.center.add(.sample("never", impossible))
            }
            #expect(error?.code == .neverFires)
            let pending = try await world.pendingIDs()
            #expect(pending == [])
        }
    }

    @Test("Coding keeps the rule as it was written") func coding() throws {
        let request = NoticeRequest.sample(
            "x",
            try RecurrenceTrigger(.rrule("FREQ=DAILY;COUNT=3"), zone: .named("Europe/Berlin"), starting: World.start)
        )
        let data = try JSONEncoder().encode(request)
        #expect(try JSONDecoder().decode(NoticeRequest.self, from: data) == request)
    }

    @Test("Intervals preview from the moment of adding") func intervals() {
        #expect(
            IntervalTrigger(every: .seconds(60), startsNow: true, count: 3).previewOccurrences(9, after: World.start)
                == [0, 60, 120].map { World.start.addingTimeInterval($0) }
        )
        #expect(IntervalTrigger(after: .seconds(5)).previewOccurrences(9, after: World.start).count == 1)
    }
}
