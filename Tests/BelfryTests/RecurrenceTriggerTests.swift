import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation
import Testing

@Suite("Recurrence triggers (rules 18 to 21)")
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
        let twice = try RecurrenceTrigger(.onCalendar("08:00"), zone: .named("UTC"), starting: start, times: 2)
        #expect(twice.previewOccurrences(10, after: World.start, in: .utc).count == 2)
    }

    @Test("Through the center: fires, counts, and ends") func throughCenter() async throws {
        try await World.run { world in
            let trigger = try RecurrenceTrigger(.cron("0 8 * * *"), times: 3)
            try await world.center.add(.sample("daily", trigger))
            try await world.clock.advance(by: .seconds(86_400 * 30))
            #expect(world.deliveredIDs() == ["daily", "daily", "daily"])
            #expect(try await world.pendingIDs() == [])
        }
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
            IntervalTrigger(every: .seconds(60), startsNow: true, times: 3).previewOccurrences(9, after: World.start)
                == [0, 60, 120].map { World.start.addingTimeInterval($0) }
        )
        #expect(IntervalTrigger(after: .seconds(5)).previewOccurrences(9, after: World.start).count == 1)
    }
}
