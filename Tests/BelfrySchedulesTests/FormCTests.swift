import Belfry
import BelfryTestSupport
import Testing

@testable import BelfrySchedules

@Suite("Form C: a start, an interval, occurrences, translations", .takesTurns)
struct FormCTests {
    private func entry(_ data: String, _ rest: String = "id: 14, type: 1") -> String {
        "{\(rest), data: {\(data), translations: {en: {title: 'T', msg: 'M'}}}}"
    }

    @Test(
        "It counts from its start, and ends as written",
        arguments: [
            (
                "start: '2026/03/22 19:00', interval: 'week', occurrence: 3", "2026-03-01",
                ["2026-03-22 19:00", "2026-03-29 19:00", "2026-04-05 19:00"]
            ),
            // Occurrences that are past are used up.
            (
                "start: '2026/03/22 19:00', interval: 'week', occurrence: 3", "2026-03-25",
                ["2026-03-29 19:00", "2026-04-05 19:00"]
            ),
            ("start: '2019/05/20 19:00', interval: 'week', occurrence: 5", "2026-03-25", []),
            (
                "start: '2026/03/28 02:30', interval: 'day', occurrence: 3", "2026-03-01",
                ["2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 02:30"]
            ),
            (
                "start: '2026/01/31 09:00', interval: 'month', occurrence: 4", "2026-01-01",
                ["2026-01-31 09:00", "2026-03-01 09:00", "2026-03-31 09:00", "2026-05-01 09:00"]
            ),
            (
                "start: '2024/02/29 09:00', interval: 'year', occurrence: 3", "2024-01-01",
                ["2024-02-29 09:00", "2025-03-01 09:00", "2026-03-01 09:00"]
            ),
            // Monday is 1, Sunday 7; 26 March 2026 is a Thursday.
            (
                "start: '4 19:00', interval: 'weekday', occurrence: 2", "2026-03-26 19:00",
                ["2026-04-02 19:00", "2026-04-09 19:00"]
            ),
            ("start: '7 08:00', interval: 'weekday', occurrence: 1", "2026-03-26", ["2026-03-29 08:00"]),
            ("start: '1 08:00', interval: 'weekday', occurrence: 1", "2026-03-26", ["2026-03-30 08:00"]),
            ("start: '2026/03/28 09:00'", "2026-03-26", ["2026-03-28 09:00"]),
            ("start: '2026/03/28 09:00', occurrence: 1", "2026-03-26", ["2026-03-28 09:00"]),
        ]
    )
    func dates(data: String, anchor: String, expected: [String]) throws {
        #expect(try Reading.dates(entry(data), from: anchor) == expected)
    }

    @Test("No occurrence, or null, is without end", arguments: ["", ", occurrence: null"])
    func endless(occurrence: String) throws {
        let text = entry("start: '2020/01/01 09:00', interval: 'day'\(occurrence)")
        let dates = try Reading.dates(text, from: "2026-03-26", count: 50)
        #expect(dates.count == 50 && dates[0] == "2026-03-26 09:00")
    }

    @Test("The type is the category, as the app maps it; what is not displayed is given to the app")
    func types() throws {
        func content(_ type: Int, _ options: ScheduleOptions = ScheduleOptions()) throws -> NoticeContent {
            let text = entry("start: '4 19:00', interval: 'weekday'", "id: 'x', type: \(type)")
            return try NoticeSchedule(parsing: text, options: options).entries[0].content
        }
        let contents = try (0...3).map { try content($0) }
        #expect(contents.map(\.category) == ["downtime", "greetings", "notDisplayed", "others"])
        #expect(contents.map(\.isDisplayed) == [true, true, false, true])
        let mapped = ScheduleOptions(types: [7: .notDisplayed])
        #expect(try content(7, mapped).isDisplayed == false)
        #expect(
            Reading.errors(entry("start: '4 19:00', interval: 'weekday'", "id: 1, type: 4")).first?
                .hasPrefix("type: must be one of 0 (downtime), 1 (greetings), 2 (notDisplayed), 3 (others), found 4")
                == true
        )
    }

    @Test("The id is the identifier, and the translations are by language")
    func translations() throws {
        let text = """
            [{id: 14, type: 1, data: {start: '4 19:00', interval: 'weekday', translations: {
              hi: {title: 'H', msg: 'h'}, en: {title: 'E'}, default: {title: 'D', msg: 'd'}}}}]
            """
        let entry = try Reading.schedule(text).entries[0]
        #expect(entry.id(for: "x") == "14")
        #expect(entry.content.title == "D" && entry.content.body == "d")
        #expect(entry.content.translations == ["hi": .init(title: "H", body: "h"), "en": .init(title: "E")])
    }

    @Test(
        "A contradiction is an error that says what to write instead",
        arguments: [
            (
                "start: '4 19:00', interval: 'week'",
                "data.start: is a weekday and a time, which go with \"interval\": \"weekday\""
            ),
            (
                "start: '2026/03/22 19:00', interval: 'weekday'",
                "data.interval: is 'weekday', and the start is a date; write"
            ),
            (
                "start: '8 19:00', interval: 'weekday'",
                "data.start: '8 19:00' can't be read; the weekday 8 is not in 1 (Monday) to 7"
            ),
            (
                "start: '2026/02/30 19:00', interval: 'day'",
                "data.start: '2026/02/30 19:00' can't be read; the day 30 is not in 1–28"
            ),
            ("start: '2026/02/20 25:00', interval: 'day'", "data.start: '25:00' can't be read; the hour 25"),
            (
                "start: '2026-02-20 19:00', interval: 'day'",
                "data.start: '2026-02-20 19:00' can't be read; write \"2019/05/20 19:00\""
            ),
            ("start: '2026/02/20', interval: 'day'", "data.start: '2026/02/20' can't be read"),
            (
                "start: '2026/03/22 19:00', interval: 'fortnight'",
                "data.interval: must be one of day, week, month, year, weekday"
            ),
            (
                "start: '2026/03/22 19:00', occurrence: 5",
                "data.occurrence: is 5, and there is no 'interval'; write for example"
            ),
            (
                "start: '2026/03/22 19:00', interval: 'day', occurrence: 0",
                "data.occurrence: must be a whole number, 1 to"
            ),
            ("interval: 'day'", "data.start: is missing"),
            ("begin: 1, start: '4 19:00', interval: 'weekday'", "data.begin: is not known here"),
        ]
    )
    func contradictions(data: String, expected: String) {
        let errors = Reading.errors(entry(data))
        #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(errors)")
    }

    @Test("An id without characters is an error at its key")
    func emptyID() {
        let errors = Reading.errors(entry("start: '4 19:00', interval: 'weekday'", "id: '', type: 1"))
        #expect(errors == ["id: must be an identifier of 1 to 1,024 bytes"])
    }

    @Test("Two notices of one id are an error that names the other")
    func sameID() {
        let one = entry("start: '4 19:00', interval: 'weekday'")
        #expect(
            Reading.errors("[\(one), \(one)]") == ["[1].id: is the identifier of [0] as well; identifiers must differ"]
        )
    }
}
