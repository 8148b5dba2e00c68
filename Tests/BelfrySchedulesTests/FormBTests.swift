import Belfry
import BelfryTestSupport
import Testing

@testable import BelfrySchedules

@Suite("Form B: daily, weekly, monthly, yearly or every few days, until an end", .takesTurns)
struct FormBTests {
    private func entry(_ text: String) -> String { "[{\(text), title: 'T', msg: 'M'}]" }

    @Test(
        "It counts from the next such day, and ends as written",
        arguments: [
            // An end on a day is inclusive.
            (
                "time: '19:00', date: 20, repeat: 'monthly', endRepeat: {date: '20/05/2026'}", "2026-03-01",
                ["2026-03-20 19:00", "2026-04-20 19:00", "2026-05-20 19:00"]
            ),
            (
                "time: '19:00', date: 20, repeat: 'monthly', endRepeat: {date: '19/05/2026'}", "2026-03-01",
                ["2026-03-20 19:00", "2026-04-20 19:00"]
            ),
            // "For N weeks" ends so long after the first firing, and that end is excluded.
            (
                "time: '10:00', interval: 5, endRepeat: {weeks: 2}", "2026-03-26 11:00",
                ["2026-03-27 10:00", "2026-04-01 10:00", "2026-04-06 10:00"]
            ),
            (
                "time: '10:00', interval: 7, endRepeat: {weeks: 2}", "2026-03-26 09:00",
                ["2026-03-26 10:00", "2026-04-02 10:00"]
            ),
            (
                "time: '02:30', day: 'Sunday', repeat: 'weekly', endRepeat: {weeks: 3}", "2026-03-20",
                ["2026-03-22 02:30", "2026-03-29 03:30", "2026-04-05 02:30"]
            ),
            (
                "time: '10:00', day: 'Monday', endRepeat: {weeks: 2}", "2026-03-20",
                ["2026-03-23 10:00", "2026-03-30 10:00"]
            ),
            (
                "time: '10:00', day: 'Monday', interval: 3, endRepeat: {weeks: 1}", "2026-03-20",
                ["2026-03-23 10:00", "2026-03-26 10:00", "2026-03-29 10:00"]
            ),
            (
                "time: '09:00', date: 15, repeat: 'monthly', endRepeat: {months: 2}", "2026-03-20",
                ["2026-04-15 09:00", "2026-05-15 09:00"]
            ),
            (
                "time: '09:00', date: 15, endRepeat: {months: 2}", "2026-03-20",
                ["2026-04-15 09:00", "2026-05-15 09:00"]
            ),
            // The 31st of a month that lacks it is the first of the next.
            (
                "time: '09:00', date: 31, repeat: 'monthly', endRepeat: {months: 5}", "2026-01-20",
                ["2026-01-31 09:00", "2026-03-01 09:00", "2026-03-31 09:00", "2026-05-01 09:00", "2026-05-31 09:00"]
            ),
            (
                "time: '09:00', date: 31, repeat: 'monthly', endRepeat: {repeatCount: 3}", "2026-04-20",
                ["2026-05-01 09:00", "2026-05-31 09:00", "2026-07-01 09:00"]
            ),
            (
                "time: '21:00', endRepeat: {days: 3}", "2026-10-24",
                ["2026-10-24 21:00", "2026-10-25 21:00", "2026-10-26 21:00"]
            ),
            ("time: '21:00', date: 30, endRepeat: {days: 2}", "2026-10-24", ["2026-10-30 21:00", "2026-10-31 21:00"]),
            (
                "time: '21:00', interval: 2, endRepeat: {days: 3}", "2026-10-24",
                ["2026-10-24 21:00", "2026-10-26 21:00"]
            ),
            (
                "time: '06:30', repeat: 'daily', endRepeat: {repeatCount: 2}", "2026-10-24",
                ["2026-10-24 06:30", "2026-10-25 06:30"]
            ),
            (
                "time: '06:30', repeat: 'daily', endRepeat: {date: '25/10/2026'}", "2026-10-24",
                ["2026-10-24 06:30", "2026-10-25 06:30"]
            ),
            (
                "time: '06:30', repeat: 'weekly', endRepeat: {repeatCount: 2}", "2026-10-24",
                ["2026-10-24 06:30", "2026-10-31 06:30"]
            ),
            (
                "time: '12:00', date: 29, repeat: 'yearly', endRepeat: {repeatCount: 3}", "2024-02-10",
                ["2024-02-29 12:00", "2025-03-01 12:00", "2026-03-01 12:00"]
            ),
            // The end was before the beginning of the import: it is over, which is no error.
            ("time: '19:00', date: 20, repeat: 'monthly', endRepeat: {date: '20/05/2019'}", "2026-03-01", []),
        ]
    )
    func dates(text: String, anchor: String, expected: [String]) throws {
        #expect(try Reading.dates(entry(text), from: anchor, count: 20) == expected)
    }

    @Test(
        "A contradiction is an error that says what to write instead",
        arguments: [
            (
                "time: '19:00', day: 'Monday', date: 3, repeat: 'weekly'",
                "[0].date: does not go with 'day'; write a weekday or"
            ),
            (
                "time: '19:00', date: 31, repeat: 'weekly'",
                "[0].date: is a day of the month, and does not go with \"repeat\": \"weekly\"; write \"day\" with a weekday"
            ),
            (
                "time: '19:00', day: 'Monday', repeat: 'monthly'",
                "[0].day: does not go with \"repeat\": \"monthly\"; write \"date\""
            ),
            ("time: '19:00', day: 'Monday', repeat: 'yearly'", "[0].day: does not go with \"repeat\": \"yearly\""),
            (
                "time: '19:00', day: 'Monday', repeat: 'daily'",
                "[0].day: does not go with \"repeat\": \"daily\"; leave it out"
            ),
            (
                "time: '19:00', repeat: 'hourly'",
                "[0].repeat: must be one of daily, weekly, monthly, yearly, found 'hourly'"
            ),
            (
                "time: '19:00', repeat: 'daily', interval: 2",
                "[0].interval: does not go with 'repeat'; write one of them"
            ),
            ("time: '19:00', interval: 0", "[0].interval: must be a whole number, 1 to"),
            (
                "time: '19:00', repeat: 'daily', endRepeat: {}",
                "[0].endRepeat: has no end; write one of date, months, weeks"
            ),
            (
                "time: '19:00', repeat: 'daily', endRepeat: {days: 1, weeks: 1}",
                "[0].endRepeat: has 'weeks' and 'days'; write one of"
            ),
            (
                "time: '19:00', repeat: 'daily', endRepeat: {days: 3}",
                "[0].endRepeat.days: does not go with 'repeat'; leave 'repeat' out"
            ),
            (
                "time: '19:00', day: 'Monday', endRepeat: {days: 3}",
                "[0].endRepeat.days: does not go with 'day'; write \"weeks\""
            ),
            (
                "time: '19:00', repeat: 'daily', endRepeat: {weeks: 3}",
                "[0].endRepeat.weeks: goes with a weekday or an interval"
            ),
            (
                "time: '19:00', repeat: 'weekly', day: 'Monday', endRepeat: {months: 3}",
                "[0].endRepeat.months: goes with a day of the month"
            ),
            (
                "time: '19:00', repeat: 'daily', endRepeat: {date: '2026-05-20'}",
                "[0].endRepeat.date: '2026-05-20' can't be read; write day"
            ),
            (
                "time: '19:00', repeat: 'daily', endRepeat: {date: '31/02/2026'}",
                "[0].endRepeat.date: '31/02/2026' can't be read; the day 31"
            ),
            ("time: '19:00', repeat: 'daily', endRepeat: {until: 3}", "[0].endRepeat.until: is not known here"),
            ("time: '19:00', repeat: 'daily', endRepeat: 3", "[0].endRepeat: must be an object, found 3"),
            (
                "time: '19:00', interval: 2, occurrence: 3",
                "[0].occurrence: does not go with 'endRepeat' and 'interval'; write \"endRepeat\": { \"repeatCount\": 3 }"
            ),
        ]
    )
    func contradictions(text: String, expected: String) {
        let errors = Reading.errors(entry(text)).filter {
            !$0.contains("has no end; write one of") || text.contains("{}")
        }
        #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(errors)")
    }

    @Test("An end that is to come, and before the first firing, is an error at its entry")
    func endBeforeStart() throws {
        let text = entry("time: '19:00', date: 20, repeat: 'monthly', endRepeat: {date: '10/05/2026'}")
        let entries = try Reading.schedule(text).entries
        let fault = #expect(throws: ScheduleDiagnostic.self) {
            try entries[0].requests(beginningAt: Reading.date("2026-05-01"), in: Reading.berlin)
        }
        #expect(
            fault?.description
                == "[0]: ends on 10/5/2026, before its first firing on 20/5/2026; write a later end (line 1, column 2)"
        )
    }

    @Test("A message may be plain, or a JSON text of translations")
    func translations() throws {
        func content(_ title: String) throws -> (String, [String: String]) {
            let content = try Reading.schedule("[{time:'9:00', msg:'m', title:\(title)}]").entries[0].content
            return (content.title, content.translations.compactMapValues(\.title))
        }
        #expect(try content("'plain'") == ("plain", [:]))
        #expect(try content(#""{\"en\":\"Message\"}""#) == ("Message", ["en": "Message"]))
        #expect(try content(#""{'de':'D', en:'E', default:'X'}""#) == ("X", ["de": "D", "en": "E"]))
        #expect(try content("{de:'D'}") == ("D", ["de": "D"]))
        #expect(try content("'{Name}, good morning'") == ("{Name}, good morning", [:]))
        let errors = Reading.errors(#"[{time:'9:00', msg:'m', title:"{\"en\":\"E\" \"de\":\"D\"}"}]"#)
        #expect(
            errors.count == 1 && errors[0].contains("it begins as a JSON text of translations: a comma is missing here")
        )
    }
}
