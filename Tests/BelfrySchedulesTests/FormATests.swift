import Belfry
import BelfryTestSupport
import Testing

@testable import BelfrySchedules

@Suite("Form A: a time, a day, every so many days, so many times", .takesTurns)
struct FormATests {
    private func entry(_ text: String) -> String { "[{\(text), title: 'T', msg: 'M'}]" }

    @Test(
        "It counts from the next such day, and ends as written",
        arguments: [
            // 2026-03-24 is a Tuesday; the clocks change on 29 March.
            (
                "time: '19:30', day: 'Tuesday', repeat: 7, occurrence: 4", "2026-03-24 12:00",
                ["2026-03-24 19:30", "2026-03-31 19:30", "2026-04-07 19:30", "2026-04-14 19:30"]
            ),
            (
                "time: '19:30', day: 'tue', repeat: 7, occurrence: 2", "2026-03-24 19:30",
                ["2026-03-31 19:30", "2026-04-07 19:30"]
            ),
            ("time: '02:30', day: 'Sunday', occurrence: 1", "2026-03-24", ["2026-03-29 03:30"]),
            ("time: '02:30', day: 'Sunday'", "2026-10-24", ["2026-10-25 02:30"]),
            (
                "time: '9:05', date: 20, repeat: 1, occurrence: 2", "2026-03-24",
                ["2026-04-20 09:05", "2026-04-21 09:05"]
            ),
            ("time: '09:00', date: 31", "2026-04-02", ["2026-05-01 09:00"]),
            ("time: '09:00', date: 31", "2026-05-01 09:00", ["2026-05-31 09:00"]),
            (
                "time: '09:00', date: 29, repeat: 30, occurrence: 2", "2026-02-10",
                ["2026-03-01 09:00", "2026-03-31 09:00"]
            ),
            (
                "time: '23:59:30', repeat: 2, occurrence: 2", "2026-12-31 23:59",
                ["2026-12-31 23:59:30", "2027-01-02 23:59:30"]
            ),
            ("time: '00:00'", "2026-03-24", ["2026-03-25 00:00"]),
        ]
    )
    func dates(text: String, anchor: String, expected: [String]) throws {
        #expect(try Reading.dates(entry(text), from: anchor) == expected)
    }

    @Test("Without occurrence it goes on without end")
    func endless() throws {
        let dates = try Reading.dates(entry("time: '08:00', day: 'Monday', repeat: 7"), from: "2026-03-24", count: 100)
        #expect(dates.count == 100 && dates[0] == "2026-03-30 08:00")
    }

    @Test(
        "A contradiction is an error that says what to write instead",
        arguments: [
            (
                "time: '19:30', day: 'Tuesday', date: 3",
                "[0].date: does not go with 'day'; write a weekday or a day of the month"
            ),
            (
                "time: '25:00', day: 'Tuesday'",
                "[0].time: '25:00' can't be read; the hour 25 is not in 0–23; write it as \"19:30\""
            ),
            ("time: '7pm'", "[0].time: '7pm' can't be read; write it as \"19:30\""),
            ("time: 7", "[0].time: must be a text, found 7"), ("repeat: 7, occurrence: 1", "[0].time: is missing"),
            ("time: '19:30', day: 'Dienstag'", "[0].day: 'Dienstag' can't be read; write Monday, Tuesday"),
            ("time: '19:30', date: 32", "[0].date: must be a whole number, 1 to 31, found 32"),
            ("time: '19:30', repeat: 0, occurrence: 2", "[0].repeat: must be a whole number, 1 to 36500, found 0"),
            ("time: '19:30', repeat: 7, occurrence: 0", "[0].occurrence: must be a whole number, 1 to"),
            ("time: '19:30', occurrence: 4", "[0].occurrence: is 4, and there is no 'repeat'; write the days between"),
            ("time: '19:30', repeat: 'weekly', occurrence: 4", "[0].repeat: must be a whole number"),
            ("time: '19:30', occurence: 4", "[0].occurence: is not known here; did you mean 'occurrence'?"),
            ("tme: '19:30'", "[0]: is no notice of a known form"),
        ]
    )
    func contradictions(text: String, expected: String) {
        let errors = Reading.errors(entry(text))
        #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(errors)")
    }

    @Test("Identifiers come from what an entry says and from the owner; two that say the same are two notices")
    func identifiers() throws {
        let text = "[{time:'9:00',title:'Water plants!'},{time:'9:00',title:'Water plants!'},{title:'Ü',time:'9:00'}]"
        let entries = try Reading.schedule(text).entries
        let ids = entries.map { $0.id(for: "x") }
        #expect(Set(ids).count == 3)
        #expect(ids[0].hasPrefix("water-plants-") && ids[2].hasPrefix("notice-"))
        #expect(Set(ids).isDisjoint(with: entries.map { $0.id(for: "y") }))
        let turned = try Reading.schedule("[{title:'Ü',  time:'9:00' /* moved */},{title:'Water plants!',time:'9:00'}]")
            .entries
        #expect(turned.map { $0.id(for: "x") } == [ids[2], ids[0]])
    }

    @Test("Many entries that say the same are read as fast as others")
    func manyCopies() throws {
        func time(_ title: (Int) -> String) throws -> Duration {
            let text = "[\((0..<2_000).map { "{time:'9:00',title:'\(title($0))'}" }.joined(separator: ","))]"
            return try processorTime(leastOf: 3) {
                let entries = try Reading.schedule(text).entries
                #expect(entries.count == 2_000)
            }
        }
        let others = try time { "Tea \($0)" }
        #expect(try time { _ in "Tea" } < others * 2)
    }
}
