import BelfryRecurrence
import BelfryTestSupport
import Testing

/// The column alone is tested beside each notation; here is what a user reads.
@Suite("A rule that can't be read says what is wrong and what is expected", .takesTurns)
struct NotationMessageTests {
    @Test(
        "Cron names the field, its range and its words",
        arguments: [
            (
                "* * *",
                "five fields are expected (minute, hour, day, month, weekday), or six with the seconds first, not 3"
            ),
            (
                "@reboot",
                "'@reboot' is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly"
            ),
            ("61 0 * * * *", "second 61 is not in 0–59"), ("*/60 * * * *", "minute step 60 is not in 1–59"),
            ("*/x * * * *", "a step is expected, not 'x'"), ("1- * * * *", "a minute is missing at the end"),
            ("5x * * * *", "',' or the end of the minute is expected, not 'x'"),
            ("é * * * *", "a minute is expected, not a character"), ("* * L-31 * *", "day L-31 is not in L-0–L-30"),
            ("* * L-x * *", "a number of days is expected, not 'x'"),
            ("* * * janu *", "month 'JANU' is none of JAN, FEB, MAR"),
            ("* * * * 8", "weekday 8 is not in 0–7"), ("* * * * mon#6", "weekday #6 is not in #1–#5"),
            ("* * * * mon#x", "a number from 1 to 5, or L, is expected, not 'x'"),
            ("* * * * L", "L needs a weekday here, such as 5L for the last Friday"),
            ("99999999999999999999 * * * *", "99999999999999999999 is too large a number"),
        ]
    )
    func cron(text: String, part: String) {
        let error = #expect(throws: RecurrenceError.self) { try CronExpression(parsing: text) }
        #expect(error?.message.hasPrefix("cron: \(part)") == true, "\(error?.message ?? "")")
    }

    @Test(
        "A calendar expression names the component, or what belongs in its place",
        arguments: [
            ("", "the expression is empty"), ("Sun..Mon", "a range of weekdays goes from Monday to Sunday"),
            ("Montag", "'MONTAG' is neither a weekday nor one of daily, weekly and their kin"),
            ("Mon*", "',', '..' or a space is expected, not '*'"), ("10:00 x", "the end, or a time zone, is expected"),
            ("10:00 Mars/Base", "the end, or a time zone, is expected"),
            ("@", "seconds since 1970 is missing at the end"), ("@253402300800", "is not before the year 9999"),
            ("12:00:00.", "a fraction of a second is missing at the end"), ("*:0/0", "a repetition of 0 is none"),
            ("00:00:00.0..00.9", "a range of seconds without a repetition is a second or longer"),
            ("99999999999:00", "99999999999 is too large a number"), ("25:00", "hour 25 is not in 0–23"),
            ("12:00:60", "second 60 is not in 0–59.999999"), ("*-*~29", "day 29 is not in 1–28"),
            ("2300-01-01", "year 2300 is not in 1970–2199"), ("1.2", "'-' or '~' is expected, not '.'"),
        ]
    )
    func onCalendar(text: String, part: String) {
        let error = #expect(throws: RecurrenceError.self) { try CalendarExpression(parsing: text) }
        #expect(
            error?.message.hasPrefix("on: ") == true && error?.message.contains(part) == true,
            "\(String(describing: error))"
        )
    }

    @Test(
        "A recurrence rule names the part, and the parts that go with it",
        arguments: [
            ("", "the rule is empty; give at least FREQ"), ("RRULE:", "the rule is empty; give at least FREQ"),
            ("INTERVAL=2", "FREQ is missing"), ("DTSTART:20260101", "there is no RRULE and no RDATE"),
            ("FREQ", "a part such as FREQ=DAILY is missing at the end"),
            ("FREQ=OFTEN", "FREQ is one of "), ("FREQ=DAILY;INTERVAL=0", "INTERVAL 0 is not 1 or more"),
            ("FREQ=DAILY;FREQ=DAILY", "FREQ is given twice"), ("FREQ=DAILY;X=1", "'X' is no part of a rule"),
            ("FREQ=DAILY;COUNT=1;UNTIL=20300101", "COUNT and UNTIL exclude each other"),
            ("FREQ=DAILY;BYHOUR=24", "BYHOUR 24 is not in 0–23"),
            ("FREQ=DAILY;BYMONTHDAY=-32", "BYMONTHDAY -32 is not in 1–31, with or without a minus"),
            ("FREQ=DAILY;BYMONTH=", "a number for BYMONTH is missing at the end"),
            ("FREQ=MONTHLY;BYDAY=XX", "a weekday (SU, MO, TU, WE, TH, FR, SA) is expected, not 'X'"),
            ("FREQ=MONTHLY;BYDAY=54MO", "BYDAY 54 is not in 1–53, with or without a minus"),
            ("FREQ=MONTHLY;BYDAY=-MO", "a number is expected, not 'M'"),
            ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO goes with FREQ=YEARLY only"),
            ("FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY doesn't go with FREQ=DAILY"),
            ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY doesn't go with FREQ=WEEKLY"),
            ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY takes numbers with FREQ=MONTHLY and FREQ=YEARLY only"),
            ("FREQ=DAILY;BYSETPOS=1", "BYSETPOS needs another BY… part to choose from"),
            ("EXRULE:FREQ=DAILY", "EXRULE is no longer part of iCalendar; use EXDATE"),
        ]
    )
    func rrule(text: String, part: String) {
        let error = #expect(throws: RecurrenceError.self) { try RRule(parsing: text) }
        #expect(error?.message.hasPrefix("rrule: \(part)") == true, "\(error?.message ?? "")")
    }

    @Test(
        "The dates beside a rule are checked as well, each error with its line",
        arguments: [
            ("DTSTART:20260101\nDTSTART:20260102", "DTSTART is given twice", 2),
            ("DTSTART:20260101,20260102", "DTSTART takes one date", 1),
            ("DTSTART;TZID=:20260101", "the name of a zone is expected, not ':'", 1),
            ("DTSTART;TZID=\"Europe/Berlin:20260101", "'\"' is missing at the end", 1),
            ("DTSTART;VALUE=TIME:20260101", "VALUE is DATE, DATE-TIME or PERIOD, not 'TIME'", 1),
            ("DTSTART;X=1:20260101", "TZID or VALUE is expected, not 'X'", 1),
            ("DTSTART=20260101", "':' is expected, not '='", 1),
            ("RDATE;VALUE=DATE:20260101T090000", "a date without a time is expected", 1),
            ("RDATE:2026", "a date such as 20261231 or 20261231T090000 is expected", 1),
            ("EXDATE:20260229", "there is no date 20260229", 1),
            ("EXDATE:20260101T240000", "a time from 000000 to 235959 is expected", 1),
            ("EXDATE:20260101;", "',' or the end is expected, not ';'", 1),
        ]
    )
    func dates(lines: String, part: String, line: Int) {
        let error = #expect(throws: RecurrenceError.self) { try RRule(parsing: lines + "\nRRULE:FREQ=DAILY") }
        let message = error?.message ?? ""
        #expect(message.hasPrefix("rrule: \(part)") && message.hasSuffix(" in line \(line)"), "\(message)")
    }

    @Test("More dates, rules and values than anybody writes are refused by their number, not computed")
    func limits() {
        func error(_ read: () throws -> Void) -> RecurrenceError? {
            do { try read() } catch { return error as? RecurrenceError }
            return nil
        }
        // Two lines, each within the limit, since a text has 65,536 bytes.
        let many = Array(repeating: "20260101", count: 6_000).joined(separator: ",")
        let found = [
            error { _ = try RRule(parsing: "FREQ=DAILY" + String(repeating: " ", count: 65_536)) },
            error { _ = try RRule(parsing: Array(repeating: "RRULE:FREQ=DAILY", count: 101).joined(separator: "\n")) },
            error { _ = try RRule(parsing: "RDATE:\(many)") },
            error {
                _ = try CalendarExpression(parsing: Array(repeating: "1", count: 241).joined(separator: ",") + ":00")
            },
            error { _ = try DatePattern(matching: Array(repeating: DateFields(hour: 8), count: 4_001), zone: .utc) },
        ]
        #expect(found[0]?.message == "rrule: 65546 bytes are more than 65536.")
        #expect(found[1]?.message.contains("10000 dates or 100 rules are too many") == true)
        #expect(found[2] == nil, "6,000 dates are few enough")
        #expect(found[3]?.message.contains("more than 240 values are too many") == true)
        #expect(found[4]?.message == "4001 sets of date components are more than 4000.")
        for case let error? in found { #expect(error.code == .limitExceeded) }
    }

    @Test(
        "A rule that never fires names the component without which there would be a date",
        arguments: [
            (
                DateFields(month: 2, day: 30),
                "day 30 never occurs with month 2. Correct it, or choose another missingDate."
            ),
            (DateFields(month: 3, dayOfYear: 366), "dayOfYear 366 never occurs with month 3."),
            (DateFields(month: 1, weekOfYear: 30), "weekOfYear 30 never occurs with month 1."),
            (DateFields(era: 0, year: 5), "leave era out, or give 1."),
            (DateFields(year: 2026, month: 3, day: 29, hour: 2), "a clock change skips it."),
        ]
    )
    func impossible(fields: DateFields, part: String) throws {
        let zone = try ZoneRules.named("Europe/Berlin")
        let policies = DatePolicies(missingDate: .skip, missingTime: .skip)
        let pattern = try DatePattern(matching: [fields], zone: zone, policies: policies)
        #expect(pattern.impossibility?.message.hasSuffix(part) == true, "\(pattern.impossibility?.message ?? "")")
    }
}
