import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("The components that are understood", .takesTurns)
struct ComponentTests {
    let utc: Local

    init() throws {
        utc = try Local("UTC")
    }

    @Test("Day −1 is the last of the month, −2 the one before")
    func daysFromTheEnd() throws {
        #expect(
            try utc.next(3, DateFields(day: -1), after: "2028-01-31 00:00")
                == ["2028-02-29 00:00+00:00", "2028-03-31 00:00+00:00", "2028-04-30 00:00+00:00"]
        )
        #expect(try utc.next(1, DateFields(month: 2, day: -2), after: "2026-01-31 00:00") == ["2026-02-27 00:00+00:00"])
    }

    @Test("Weekday ordinals count from the start and from the end")
    func ordinals() throws {
        #expect(
            try utc.next(2, DateFields(month: 11, weekday: 5, weekdayOrdinal: 4), after: "2026-01-01 00:00")
                == ["2026-11-26 00:00+00:00", "2027-11-25 00:00+00:00"]
        )
        #expect(
            try utc.next(2, DateFields(weekday: 6, weekdayOrdinal: -1), after: "2026-01-01 00:00")
                == ["2026-01-30 00:00+00:00", "2026-02-27 00:00+00:00"]
        )
        #expect(
            try utc.next(2, DateFields(weekday: 1, weekdayOrdinal: 5), after: "2026-01-01 00:00")
                == ["2026-03-29 00:00+00:00", "2026-05-31 00:00+00:00"]
        )
    }

    @Test("The day of the year, the era and the week-year are understood")
    func rarer() throws {
        #expect(
            try utc.next(2, DateFields(dayOfYear: 366), after: "2026-01-01 00:00")
                == ["2028-12-31 00:00+00:00", "2032-12-31 00:00+00:00"]
        )
        #expect(
            try utc.next(1, DateFields(era: 1, year: 2027), after: "2026-01-01 00:00") == ["2027-01-01 00:00+00:00"]
        )
        #expect(
            try utc.next(
                2,
                DateFields(weekday: 2, weekOfYear: 53, yearForWeekOfYear: 2026),
                after: "2026-01-01 00:00",
                weeks: .iso8601
            ) == ["2026-12-28 00:00+00:00"]
        )
    }

    @Test("Weeks begin on Sunday and the first holds 1 January, unless told otherwise")
    func weekRules() throws {
        let fields = DateFields(weekday: 4, weekOfYear: 1, hour: 8)
        #expect(try utc.next(1, fields, after: "2026-06-01 00:00") == ["2026-12-30 08:00+00:00"])
        #expect(try utc.next(1, fields, after: "2026-06-01 00:00", weeks: .iso8601) == ["2027-01-06 08:00+00:00"])
    }

    @Test("Everything that Calendar fills in makes a trigger that fires, with warnings for what is ignored")
    func filledIn() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        calendar.firstWeekday = 2
        calendar.minimumDaysInFirstWeek = 4
        var components = calendar.dateComponents(
            in: calendar.timeZone,
            from: Date(timeIntervalSince1970: 1_800_000_000)
        )
        components.isLeapMonth = false
        let fields = DateFields(components)
        #expect(fields.weekOfMonth == nil && fields.weekOfYear == nil && fields.yearForWeekOfYear == nil)
        #expect(try DatePattern(matching: [fields], zone: .utc).next(after: 0) == 1_800_000_000)
        let warnings = DateFields.warnings(for: components)
        for name in ["weekOfMonth", "weekOfYear", "yearForWeekOfYear", "nanosecond", "isLeapMonth"] {
            #expect(warnings.contains { $0.hasPrefix(name) }, "no warning for \(name) among \(warnings)")
        }
    }

    @Test("Week fields beside a full date are ignored where they contradict it")
    func redundantWeeks() throws {
        let fields = DateFields(year: 2027, month: 5, day: 10, weekOfYear: 3)
        #expect(try utc.next(1, fields, after: "2026-01-01 00:00") == ["2027-05-10 00:00+00:00"])
        #expect(fields.warnings.count == 1)
    }

    @Test(
        "A value out of range is an error that names the component, the value and the range",
        arguments: [
            (DateFields(era: 2), "era 2", "0–1"), (DateFields(year: 0), "year 0", "1–9999"),
            (DateFields(month: 13), "month 13", "1–12"), (DateFields(day: 32), "day 32", "1–31"),
            (DateFields(day: 0), "day 0", "1–31"), (DateFields(day: -32), "day -32", "1–31"),
            (DateFields(dayOfYear: 367), "dayOfYear 367", "1–366"), (DateFields(weekday: 0), "weekday 0", "1–7"),
            (DateFields(weekday: 2, weekdayOrdinal: 6), "weekdayOrdinal 6", "1–5"),
            (DateFields(weekOfMonth: 7), "weekOfMonth 7", "0–6"), (DateFields(weekOfYear: 54), "weekOfYear 54", "1–53"),
            (DateFields(yearForWeekOfYear: 10_000), "yearForWeekOfYear 10000", "1–9999"),
            (DateFields(hour: 24), "hour 24", "0–23"), (DateFields(minute: -1), "minute -1", "0–59"),
            (DateFields(second: .max), "second 9223372036854775807", "0–59"), (DateFields(day: .min), "day -9", "1–31"),
        ]
    )
    func outOfRange(fields: DateFields, value: String, range: String) {
        let error = #expect(throws: RecurrenceError.self) { try DatePattern(matching: [fields], zone: .utc) }
        #expect(error?.code == .invalidComponent)
        #expect(error?.message.contains(value) == true)
        #expect(error?.message.contains(range) == true)
    }

    @Test("No component, and no set of them, is an error")
    func nothing() {
        #expect(throws: RecurrenceError.self) { try DatePattern(matching: [DateFields()], zone: .utc) }
        #expect(throws: RecurrenceError.self) { try DatePattern(matching: [], zone: .utc) }
    }
}
