import Belfry
import Testing

@testable import BelfrySchedules

@Suite("Alarms of an iCalendar file")
struct CalendarAlarmTests {
    private func calendar(_ event: [String], alarm: [String]) -> String {
        (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u", "SUMMARY:Tea"] + event
            + ["BEGIN:VALARM", "ACTION:DISPLAY"] + alarm + ["END:VALARM", "END:VEVENT", "END:VCALENDAR"])
            .joined(separator: "\r\n")
    }

    @Test(
        "An alarm is so long before its event, or after it",
        arguments: [
            (["DTSTART:20260401T120000Z"], "TRIGGER:-PT15M", ["2026-04-01 13:45"]),
            (["DTSTART:20260401T120000Z", "DTEND:20260401T130000Z"], "TRIGGER;RELATED=END:PT5M", ["2026-04-01 15:05"]),
            (["DTSTART:20260401T120000Z", "DURATION:PT2H"], "TRIGGER;RELATED=END:PT0S", ["2026-04-01 16:00"]),
            (["DTSTART:20260401T120000"], "TRIGGER;VALUE=DATE-TIME:20260401T080000Z", ["2026-04-01 10:00"]),
            (["DTSTART;VALUE=DATE:20260401"], "TRIGGER:-PT3H", ["2026-03-31 21:00"]),
            (["DTSTART;VALUE=DATE:20260401"], "TRIGGER;RELATED=END:-PT2H", ["2026-04-01 22:00"]),
            (["DTSTART;TZID=America/New_York:20260401T120000"], "TRIGGER:P0D", ["2026-04-01 18:00"]),
            (["DTSTART;TZID=/example.org/Europe/Berlin:20260401T120000"], "TRIGGER:PT0S", ["2026-04-01 12:00"]),
            // A day before 9:00 is 9:00 the day before, though that day has 23 hours; 24 hours are exact.
            (["DTSTART;TZID=Europe/Berlin:20260329T090000"], "TRIGGER:-P1D", ["2026-03-28 09:00"]),
            (["DTSTART;TZID=Europe/Berlin:20260329T090000"], "TRIGGER:-PT24H", ["2026-03-28 08:00"]),
            // Across midnight, on another day of the week than the event.
            (
                ["DTSTART;TZID=Europe/Berlin:20260323T000500", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3"],
                "TRIGGER:-PT10M",
                ["2026-03-22 23:55", "2026-03-23 23:55", "2026-03-29 23:55"]
            ),
            (
                ["DTSTART:20260323T090000", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20260324T090000,20260325T090000"],
                "TRIGGER:-P1W", ["2026-03-16 09:00", "2026-03-19 09:00"]
            ),
        ]
    )
    func dates(event: [String], trigger: String, expected: [String]) throws {
        #expect(try Reading.dates(calendar(event, alarm: [trigger]), from: "2026-03-01") == expected)
    }

    @Test("An alarm that repeats is several requests")
    func repeats() throws {
        let text = calendar(["DTSTART:20260401T120000Z"], alarm: ["TRIGGER:PT0S", "REPEAT:2", "DURATION:PT10M"])
        let entries = try Reading.schedule(text).entries
        #expect(entries.map(\.id) == ["u/1", "u/1+1", "u/1+2"])
        let dates = try entries.flatMap { try $0.requests(beginningAt: Reading.date("2026-03-01"), in: Reading.berlin) }
            .flatMap { $0.trigger!.previewOccurrences(3, after: Reading.date("2026-03-01"), in: Reading.berlin) }
        #expect(dates.map(Reading.text) == ["2026-04-01 14:00", "2026-04-01 14:10", "2026-04-01 14:20"])
    }

    @Test("Texts are unfolded and unescaped; the alarm's own comes below the event's")
    func texts() throws {
        let text = calendar(
            ["DTSTART:20260401T120000Z", "LOCATION:Kitchen"],
            alarm: ["TRIGGER:PT0S", #"DESCRIPTION:Milk\, sugar\nand"#, "  spoons"]
        )
        let content = try Reading.schedule(text).entries[0].content
        #expect(content.title == "Tea" && content.body == "Milk, sugar\nand spoons")
    }

    @Test(
        "A changed occurrence has its own alarm, and the rule leaves it out; what is cancelled, and mail, is left out and told"
    )
    func overrides() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:u
            SUMMARY:Choir
            DTSTART:20260401T090000
            RRULE:FREQ=DAILY;COUNT=3
            BEGIN:VALARM
            ACTION:AUDIO
            TRIGGER:PT0S
            END:VALARM
            BEGIN:VALARM
            ACTION:EMAIL
            TRIGGER:PT0S
            END:VALARM
            END:VEVENT
            BEGIN:VEVENT
            UID:u
            RECURRENCE-ID:20260402T090000
            SUMMARY:Choir, late
            DTSTART:20260402T110000
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER:PT0S
            END:VALARM
            END:VEVENT
            BEGIN:VEVENT
            UID:v
            STATUS:CANCELLED
            DTSTART:20260402T110000
            BEGIN:VALARM
            TRIGGER:PT0S
            END:VALARM
            END:VEVENT
            END:VCALENDAR
            """
        let schedule = try Reading.schedule(text)
        let anchor = Reading.date("2026-03-01")
        let dates = try schedule.entries.map { entry in
            let trigger = try entry.requests(beginningAt: anchor, in: Reading.berlin)[0].trigger
            return (trigger?.previewOccurrences(5, after: anchor, in: Reading.berlin) ?? []).map(Reading.text)
        }
        #expect(dates == [["2026-04-01 09:00", "2026-04-03 09:00"], ["2026-04-02 11:00"]])
        #expect(schedule.entries.map(\.id) == ["u/1", "u/20260402T090000/1"])
        #expect(schedule.entries[0].content.sound == .standard)
        #expect(
            schedule.warnings == [
                "Choir: an alarm of the kind EMAIL is left out.",
                "An event: it is cancelled, and its alarms are left out.",
            ]
        )
    }

    @Test(
        "What can't be read is an error with its line",
        arguments: [
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR", 3), ("BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR", 2),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT", 2),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:2026\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR",
                4
            ),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART;TZID=Mars:20260401T120000\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR",
                4
            ),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20260401T120000\nBEGIN:VALARM\nTRIGGER:soon\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR",
                6
            ),
        ]
    )
    func faults(text: String, line: Int) {
        let error = #expect(throws: ScheduleError.self) { try Reading.schedule(text) }
        #expect(error?.faults.first?.position?.line == line, "\(String(describing: error))")
    }
}
