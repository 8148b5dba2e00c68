import Belfry
import BelfryCalendars
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("Calendar triggers from Foundation's components, in other calendars, and bounded", .takesTurns)
struct CalendarTriggerTests {
    init() { OtherCalendars.enable() }

    @Test("A trigger of another calendar is refused without ICU, whoever made or stored it") func withoutICU() async {
        await #expect(processExitsWith: .success) {
            let trigger = CalendarTrigger(
                matching: DateFields(hour: 9),
                repeats: true,
                options: .init(calendar: .hebrew)
            )
            let made = #expect(throws: NoticeError.self) { try trigger.validate() }
            #expect(made?.code == .unsupported)
            let stored = try JSONEncoder().encode(trigger)
            let read = #expect(throws: NoticeError.self) {
                try JSONDecoder().decode(CalendarTrigger.self, from: stored)
            }
            #expect(read?.code == .unsupported)
        }
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test("Components bring their zone, their calendar's weeks, and warnings") func components() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        var components = calendar.dateComponents(in: calendar.timeZone, from: World.start)
        components.year = nil
        components.nanosecond = 5
        let trigger = CalendarTrigger(matching: components, repeats: true)
        #expect(trigger.options.zone == .named("Asia/Kathmandu"))
        #expect(trigger.options.weeks == WeekRules(calendar))
        #expect(trigger.warnings.contains { $0.contains("nanosecond") }, "\(trigger.warnings)")
        let floating = CalendarTrigger(matching: DateComponents(hour: 8), repeats: true)
        #expect(floating.options.zone == .floating)
        #expect(floating.nextTriggerDate(after: World.start, in: .utc) == World.start.addingTimeInterval(8 * 3_600))
    }

    @Test("Other calendars count their own months: Nowruz, Rosh Hashanah, the Islamic new year") func foreign() throws {
        let cases: [(CalendarTrigger.CalendarSystem, Int, String)] = [
            (.persian, 1, "2026-03-21T00:00:00Z"), (.hebrew, 1, "2026-09-12T00:00:00Z"),
            (.islamicUmmAlQura, 1, "2026-06-16T00:00:00Z"),
        ]
        for (calendar, month, first) in cases {
            let trigger = CalendarTrigger(
                matching: DateFields(month: month, day: 1),
                repeats: true,
                options: .init(zone: .named("UTC"), calendar: calendar)
            )
            #expect(trigger.nextTriggerDate(after: World.start, in: .utc) == (try date(first)), "\(calendar)")
            let data = try JSONEncoder().encode(trigger)
            #expect(try JSONDecoder().decode(CalendarTrigger.self, from: data) == trigger)
        }
    }

    @Test("Every calendar of Belfry is one of Foundation's and back") func systems() {
        for system in CalendarTrigger.CalendarSystem.allCases {
            #expect(CalendarTrigger.CalendarSystem(Calendar(identifier: .gregorian).identifier) == .gregorian)
            #expect(system.rawValue.isEmpty == false)
        }
        #expect(CalendarTrigger.CalendarSystem(.persian) == .persian)
        #expect(CalendarTrigger.CalendarSystem(.iso8601) == .gregorian)
    }

    @Test("Start and end bound a trigger, both included") func bounds() throws {
        let start = try date("2026-01-10T08:00:00Z")
        let end = try date("2026-01-13T08:00:00Z")
        let daily = CalendarTrigger(
            matching: DateFields(hour: 8),
            repeats: true,
            options: .init(zone: .named("UTC"), starting: start, until: end)
        )
        let dates = daily.previewOccurrences(10, after: World.start, in: .utc)
        #expect(dates == (0..<4).map { start.addingTimeInterval(Double($0) * 86_400) })
        let error = #expect(throws: NoticeError.self) {
            try CalendarTrigger(
                matching: DateFields(hour: 8),
                repeats: true,
                options: .init(starting: end, until: start)
            ).validate()
        }
        #expect(error?.code == .neverFires)
    }
}
