import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("OnCalendar is systemd.time(7)", .takesTurns)
struct OnCalendarTests {
    private func dates(
        _ text: String,
        after: String = "2026-01-01 00:00",
        in zone: String = "Europe/Berlin",
        count: Int = 3
    ) throws -> [String] {
        let local = try Local(zone)
        let pattern = try CalendarExpression(parsing: text).compiled(zone: local.zone)
        return pattern.dates(after: local.instant(after)).prefix(count).map { String(local.text($0).dropLast(6)) }
    }

    @Test("Weekdays, ranges, lists and repetitions")
    func items() throws {
        #expect(try dates("Mon..Fri 09:25").map { $0.prefix(10) } == ["2026-01-01", "2026-01-02", "2026-01-05"])
        #expect(
            try dates("*-*-1,15 8,20:00") == ["2026-01-01 08:00", "2026-01-01 20:00", "2026-01-15 08:00"]
        )
        #expect(try dates("*:10/25", count: 3) == ["2026-01-01 00:10", "2026-01-01 00:35", "2026-01-01 01:10"])
        #expect(try dates("2026/2-06-01", count: 2) == ["2026-06-01 00:00", "2028-06-01 00:00"])
        #expect(try dates("2027,2030-06-01", count: 3) == ["2027-06-01 00:00", "2030-06-01 00:00"])
    }

    @Test("Days counted from the end of the month")
    func fromTheEnd() throws {
        #expect(try dates("*-02~03", count: 3) == ["2026-02-26 00:00", "2027-02-26 00:00", "2028-02-27 00:00"])
        #expect(try dates("Mon *-05~07/1", count: 2) == ["2026-05-25 00:00", "2027-05-31 00:00"])
        #expect(try dates("*-*~1..2", count: 3) == ["2026-01-30 00:00", "2026-01-31 00:00", "2026-02-27 00:00"])
    }

    @Test("A zone at the end is that of the expression")
    func zone() throws {
        #expect(try dates("09:00 Asia/Tokyo", count: 1) == ["2026-01-01 01:00"])
        #expect(try dates("09:00 utc", count: 1) == ["2026-01-01 10:00"])
        #expect(try CalendarExpression(parsing: "Mon 09:00 Europe/Berlin").zone == "Europe/Berlin")
    }

    @Test(
        "The named shorthands stand for their expressions",
        arguments: [
            ("minutely", "*-*-* *:*:00"), ("hourly", "*-*-* *:00:00"), ("daily", "*-*-* 00:00:00"),
            ("weekly", "Mon *-*-* 00:00:00"),
            ("monthly", "*-*-01 00:00:00"), ("quarterly", "*-01,04,07,10-01 00:00:00"),
            ("semiannually", "*-01,07-01 00:00:00"),
            ("YEARLY", "*-01-01 00:00:00"),
        ]
    )
    func shorthands(name: String, text: String) throws {
        #expect(try CalendarExpression(parsing: name).description == text)
    }

    @Test("Fractions of a second are microseconds, and whole seconds round them up")
    func fractions() throws {
        let pattern = try CalendarExpression(parsing: "09:11:23.42/1.77 UTC").compiled(zone: .utc)
        let start: Int64 = 9 * 3600 + 11 * 60
        #expect(pattern.next(afterMicroseconds: start * 1_000_000) == start * 1_000_000 + 23_420_000)
        #expect(pattern.next(afterMicroseconds: start * 1_000_000 + 23_420_000) == start * 1_000_000 + 25_190_000)
        #expect(pattern.next(after: start) == start + 24)
        #expect(
            pattern.next(after: Date(timeIntervalSince1970: 0)) == Date(timeIntervalSince1970: Double(start) + 23.42)
        )
        #expect(pattern.next(after: .min) != nil && pattern.next(after: .max) == nil)
    }

    @Test(
        "Printed, fractions and repetitions are as systemd prints them",
        arguments: [
            ("2016-03-27 03:17:00/0.42", "2016-03-27 03:17:00/0.420000"),
            ("*:*:00.5/1.25", "*-*-* *:*:00.500000/1.250000"), ("*:*:05.25", "*-*-* *:*:05.250000"),
            ("*:0/5:0/2", "*-*-* *:00/5:00/2"), ("*:*:01..09.5/2", "*-*-* *:*:01..09/2"),
        ]
    )
    func normalForm(text: String, normal: String) throws {
        let expression = try CalendarExpression(parsing: text)
        #expect(expression.description == normal)
        #expect(try CalendarExpression(parsing: normal) == expression)
    }

    @Test("A zone without a date or a time is refused", arguments: [" utc", " UTC", " Europe/Berlin"])
    func onlyZone(text: String) {
        let error = #expect(throws: RecurrenceError.self) { try CalendarExpression(parsing: text) }
        #expect(error?.code == .invalidNotation && error?.message.contains("time zone alone") == true)
    }

    @Test("Skipped local times are skipped")
    func missing() throws {
        #expect(try dates("02:30", after: "2026-03-28 12:00", count: 1) == ["2026-03-30 02:30"])
        let never = try CalendarExpression(parsing: "2026-03-29 02:30 Europe/Berlin").compiled(zone: .utc)
        #expect(never.next(after: 0) == nil)
        #expect(never.impossibility?.code == .impossibleDate)
    }

    @Test("Of a repeated hour both passes fire for hourly and finer ones, else the first")
    func repeated() throws {
        #expect(
            try dates("*:30", after: "2026-10-25 02:00", count: 3) == [
                "2026-10-25 02:30", "2026-10-25 02:30", "2026-10-25 03:30",
            ]
        )
        #expect(try dates("02:30", after: "2026-10-25 02:00", count: 2) == ["2026-10-25 02:30", "2026-10-26 02:30"])
    }

    @Test(
        "What breaks the grammar is refused with its column",
        arguments: [
            ("", 1), ("Blub", 1), ("Mon,Foo", 5), ("Sun..Mon", 1), ("25:00", 1), ("12:60", 1), ("*-13-01", 1),
            ("12", 3), ("1-2-3-4", 6),
            ("10:00 Mars/Base", 6), ("*-*~29", 1), ("00:00:00.0..00.9", 7), ("*:0/0", 5), ("99999999999:00", 1),
            ("@", 2), ("@1x", 3),
            ("2300-01-01", 1), ("1..2~*x", 7),
        ]
    )
    func refused(text: String, column: Int) {
        let error = #expect(throws: RecurrenceError.self) { try CalendarExpression(parsing: text) }
        #expect(error?.code == .invalidNotation)
        #expect(error?.column == column, "\(text): \(error?.message ?? "")")
    }
}
