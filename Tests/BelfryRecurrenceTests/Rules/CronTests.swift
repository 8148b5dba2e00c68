import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("Cron", .takesTurns)
struct CronTests {
    private func dates(
        _ text: String,
        after: String = "2026-01-01 00:00",
        in zone: String = "Europe/Berlin",
        count: Int = 3
    ) throws -> [String] {
        let local = try Local(zone)
        let pattern = try CronExpression(parsing: text).compiled(zone: local.zone)
        return pattern.dates(after: local.instant(after)).prefix(count).map { String(local.text($0).dropLast(6)) }
    }

    @Test("Five fields begin with the minute, six with the second")
    func fields() throws {
        #expect(try dates("25 9 * * *", count: 1) == ["2026-01-01 09:25"])
        #expect(try dates("*/20 25 9 * * *") == ["2026-01-01 09:25", "2026-01-01 09:25:20", "2026-01-01 09:25:40"])
    }

    @Test("Names, lists, ranges around the end, steps and question marks")
    func items() throws {
        #expect(
            try dates("0 0 1 Nov-Feb ?", count: 4).map { $0.prefix(7) } == ["2026-02", "2026-11", "2026-12", "2027-01"]
        )
        #expect(
            try dates("0 0 * * fri-mon", count: 4).map { $0.prefix(10) } == [
                "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05",
            ]
        )
        #expect(try dates("0 0 * * MON,3,FRI").map { $0.prefix(10) } == ["2026-01-02", "2026-01-05", "2026-01-07"])
        #expect(try dates("5/20 22-1/2 * * *", count: 4).map { $0.suffix(5) } == ["00:05", "00:25", "00:45", "22:05"])
    }

    @Test("A range from a weekday to itself is that day", arguments: ["0-0", "7-7", "7-0", "sun-sun"])
    func oneDay(range: String) throws {
        #expect(try dates("0 9 * * \(range)", count: 2).map { $0.prefix(10) } == ["2026-01-04", "2026-01-11"])
    }

    @Test("Sunday is 0 and 7, and ends a week as well as it begins one")
    func sunday() throws {
        for days in ["0", "7", "Sun"] {
            #expect(try dates("0 0 * * \(days)", count: 1) == ["2026-01-04 00:00"])
        }
        #expect(try dates("0 0 * * Mon-Sun", count: 2) == ["2026-01-02 00:00", "2026-01-03 00:00"])
        #expect(try dates("0 0 * * 6-7", count: 3) == ["2026-01-03 00:00", "2026-01-04 00:00", "2026-01-10 00:00"])
    }

    @Test("L is the last day of the month, 5L its last Friday, 5#2 its second")
    func lastAndNumbered() throws {
        #expect(try dates("0 0 L * *", count: 2) == ["2026-01-31 00:00", "2026-02-28 00:00"])
        #expect(try dates("0 0 L-1 * *", count: 2) == ["2026-01-30 00:00", "2026-02-27 00:00"])
        for last in ["5L", "L5", "friL", "FRI#L"] {
            #expect(try dates("0 0 * * \(last)", count: 2) == ["2026-01-30 00:00", "2026-02-27 00:00"], "\(last)")
        }
        #expect(try dates("0 0 * * 5#2,1#1", count: 3) == ["2026-01-05 00:00", "2026-01-09 00:00", "2026-02-02 00:00"])
    }

    @Test("Day and weekday combine with OR when both are restricted, else with AND")
    func dayOrWeekday() throws {
        #expect(
            try dates("0 0 13 * 5", count: 4) == [
                "2026-01-02 00:00", "2026-01-09 00:00", "2026-01-13 00:00", "2026-01-16 00:00",
            ]
        )
        #expect(try dates("0 0 */10 * 5", count: 2) == ["2026-05-01 00:00", "2026-07-31 00:00"])
    }

    @Test("The shorthands stand for their fields")
    func shorthands() throws {
        #expect(try CronExpression(parsing: "@daily").description == "0 0 * * *")
        #expect(try CronExpression(parsing: "@Weekly").description == "0 0 * * 0")
        #expect(try dates("@hourly", count: 1) == ["2026-01-01 01:00"])
    }

    @Test("Skipped local times shift forward, days that a month lacks are skipped")
    func missing() throws {
        #expect(
            try dates("30 2 * * *", after: "2026-03-28 12:00", count: 2) == ["2026-03-29 03:30", "2026-03-30 02:30"]
        )
        #expect(try dates("0 0 31 * *", after: "2026-01-31 12:00", count: 1) == ["2026-03-31 00:00"])
        let impossible = try CronExpression(parsing: "0 0 30 2 *").compiled(zone: .utc)
        #expect(impossible.next(after: 0) == nil)
        #expect(impossible.impossibility != nil)
    }

    @Test("Every hour is every real one, both passes of a repeated one")
    func repeated() throws {
        #expect(
            try dates("0 * * * *", after: "2026-10-25 01:00")
                == ["2026-10-25 02:00", "2026-10-25 02:00", "2026-10-25 03:00"]
        )
        #expect(
            try dates("30 2 * * *", after: "2026-10-25 01:00", count: 2) == ["2026-10-25 02:30", "2026-10-26 02:30"]
        )
    }

    @Test(
        "The normal form reads as the same expression",
        arguments: [
            ("  */5  0  ? JAN-mar sun,FRI ", "*/5 0 * 1-3 0,5"), ("0 0 1 1 7", "0 0 1 1 0"),
            ("1,1,1 */1 * * *", "1 * * * *"),
            ("0 0 L-2 * mon-fri#1", "0 0 L-2 * 1-5#1"),
            ("30 5/2 0 1/3 * 5L", "30 5/2 0 1/3 * 5L"),
        ]
    )
    func normalForm(text: String, normal: String) throws {
        let expression = try CronExpression(parsing: text)
        #expect(expression.description == normal)
        #expect(try CronExpression(parsing: normal).description == normal)
    }

    @Test(
        "What breaks the grammar is refused with its column",
        arguments: [
            ("61 * * * *", 1), ("* 24 * * *", 3), ("* * 0 * *", 5), ("* * * 13 *", 7), ("* * * * 8", 9), ("* * * *", 8),
            ("* * * * * * *", 13), ("", 1), ("@reboot", 1), ("*/0 * * * *", 3), ("*/60 * * * *", 3), ("1- * * * *", 3),
            ("1,, * * * *", 3), ("a * * * *", 1), ("* * * janu *", 7), ("* * * * mon#6", 13), ("* * * * L", 10),
            ("5x * * * *", 2),
            ("* * LW * *", 6), ("99999999999999999999 * * * *", 1), ("* * 1#2 * *", 6),
        ]
    )
    func refused(text: String, column: Int) {
        let error = #expect(throws: RecurrenceError.self) { try CronExpression(parsing: text) }
        #expect(error?.code == .invalidNotation)
        #expect(error?.column == column, "\(text): \(error?.message ?? "")")
    }

    @Test("The message is the one that the command line promises")
    func message() {
        let error = #expect(throws: RecurrenceError.self) { try CronExpression(parsing: "61 * * * *") }
        #expect(error?.message == "cron: minute 61 is not in 0–59 (column 1)")
    }
}
