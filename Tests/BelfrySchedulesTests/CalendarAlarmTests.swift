import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySchedules

@Suite("Alarms of an iCalendar file", .takesTurns)
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
            // A bare date has no zone, and one that is named is ignored, known or not.
            (["DTSTART;TZID=America/New_York;VALUE=DATE:20260401"], "TRIGGER:-PT3H", ["2026-03-31 21:00"]),
            (["DTSTART;TZID=Mars;VALUE=DATE:20260401"], "TRIGGER:-PT3H", ["2026-03-31 21:00"]),
            (["DTSTART;TZID=/example.org/Europe/Berlin:20260401T120000"], "TRIGGER:PT0S", ["2026-04-01 12:00"]),
            (
                ["DTSTART;TZID=/a/b/c/America/Argentina/Buenos_Aires:20260401T120000"], "TRIGGER:PT0S",
                ["2026-04-01 17:00"]
            ),
            // The longest duration, in its smallest unit.
            (["DTSTART:21260308T120000Z"], "TRIGGER:-PT3153600000S", ["2026-04-01 14:00"]),
            // Blanks after a value.
            (["DTSTART:20260401T120000Z ", "DURATION:PT2H "], "TRIGGER;RELATED=END:PT0S ", ["2026-04-01 16:00"]),
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
            // A whole day has no time of day, whatever its rule says.
            (
                ["DTSTART;VALUE=DATE:20260401", "RRULE:FREQ=DAILY;BYHOUR=9,17;byminute=30;BYSECOND=5;COUNT=2"],
                "TRIGGER:PT0S", ["2026-04-01 00:00", "2026-04-02 00:00"]
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

    @Test("An alarm after the end of an added period counts by the event's length, which is told")
    func periods() throws {
        let event = ["DTSTART:20260401T120000Z", "DURATION:PT1H", "RDATE;VALUE=PERIOD:20260402T120000Z/PT3H"]
        let fromEnd = calendar(event, alarm: ["TRIGGER;RELATED=END:PT0S"])
        #expect(try Reading.dates(fromEnd, from: "2026-03-01") == ["2026-04-01 15:00", "2026-04-02 15:00"])
        let warning =
            "Tea: an alarm counts from the end of its event; the length of added periods (RDATE) is ignored."
        #expect(try Reading.schedule(fromEnd).warnings == [warning])
        #expect(try Reading.schedule(calendar(event, alarm: ["TRIGGER:PT0S"])).warnings.isEmpty)
    }

    @Test("Each repeat of an alarm counts as a notice")
    func manyRepeats() throws {
        func alarms(_ count: Int) -> String {
            let alarm = ["BEGIN:VALARM", "TRIGGER:PT0S", "REPEAT:99", "DURATION:PT10M", "END:VALARM"]
            let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u", "DTSTART:20260401T120000Z"]
            return (lines + Array(repeating: alarm, count: count).joined() + ["END:VEVENT", "END:VCALENDAR"])
                .joined(separator: "\n")
        }
        #expect(try Reading.schedule(alarms(100)).entries.count == 10_000)
        #expect(Reading.errors(alarms(101)) == ["the calendar: has 10100 notices; 10000 is the most"])
    }

    @Test("A rule that takes long to compile is compiled once for all alarms of its event")
    func sharedRule() throws {
        let alarm = ["BEGIN:VALARM", "TRIGGER:PT0S", "REPEAT:99", "DURATION:PT10M", "END:VALARM"]
        let event = ["BEGIN:VEVENT", "UID:u", "DTSTART:20260401T120000", "RRULE:FREQ=DAILY;COUNT=150000"]
        let lines = ["BEGIN:VCALENDAR"] + event + Array(repeating: alarm, count: 20).joined()
        let text = (lines + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\n")
        var count = 0
        let time = try processorTime { count = try Reading.schedule(text).entries.count }
        #expect(count == 2_000 && time < .seconds(10), "\(time)")
    }

    @Test("A zone's name of any length is refused at once", .timeLimit(.minutes(1)))
    func longZone() {
        let name = Array(repeating: "a", count: 60_000).joined(separator: "/")
        let errors = Reading.errors(calendar(["DTSTART;TZID=\(name):20260401T120000"], alarm: ["TRIGGER:PT0S"]))
        #expect(errors.count == 1 && errors[0].contains("is not known"))
    }

    @Test("A rule is copied for each notice of its event, so that the notices limit its length")
    func longRules() throws {
        func text(dates: Int, repeats: Int, events: Int = 1) -> String {
            let dates = Array(repeating: "20270101T120000", count: dates).joined(separator: ",")
            let rule = ["DTSTART:20260401T120000", "RRULE:FREQ=DAILY", "EXDATE:\(dates)"]
            let alarm = ["BEGIN:VALARM", "TRIGGER:PT0S", "REPEAT:\(repeats)", "DURATION:PT1M", "END:VALARM"]
            let components = (0..<events).flatMap { event in
                ["BEGIN:VEVENT", "UID:u\(event)"] + rule + alarm + ["END:VEVENT"]
            }
            return (["BEGIN:VCALENDAR"] + components + ["END:VCALENDAR"]).joined(separator: "\n")
        }
        #expect(try Reading.schedule(text(dates: 100, repeats: 20)).entries.count == 21)
        let errors = Reading.errors(text(dates: 2_000, repeats: 99, events: 2))
        #expect(errors.count == 1 && errors[0].hasPrefix("u1: has too long a rule"), "\(errors)")
    }

    @Test(
        "What an event's notices copy or compare of its other lines limits them, too",
        arguments: [
            ("UID:", [], ""), ("SUMMARY:", [], ""), ("SUMMARY:", ["RECURRENCE-ID:20260401T120000"], ""),
            ("RECURRENCE-ID:", [], ""), ("LOCATION;ALTREP=", [], ":a"), ("DURATION:", ["DTEND:20260401T130000"], ""),
            ("DTSTART;X=", [], ":20260401T120000"),
        ] as [(String, [String], String)]
    )
    func longLines(beginning: String, others: [String], end: String) {
        let long = beginning + String(repeating: "a", count: 100_000) + end
        let alarms = Array(repeating: ["BEGIN:VALARM", "TRIGGER:PT0S", "END:VALARM"], count: 50).joined()
        let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", long, "UID:u", "DTSTART:20260401T120000"] + others
        let errors = Reading.errors((lines + alarms + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\n"))
        #expect(errors.count == 1 && errors[0].contains("has too long a rule or text"), "\(errors.count)")
    }

    @Test("An alarm's own text is copied for each of its repeats, which limit its length")
    func longDescriptions() throws {
        func text(_ size: Int) -> String {
            let description = "DESCRIPTION:" + String(repeating: "a", count: size)
            let repeats = ["REPEAT:99", "DURATION:PT1M"]
            return calendar(["DTSTART:20260401T120000"], alarm: ["TRIGGER:PT0S", description] + repeats)
        }
        #expect(try Reading.schedule(text(100)).entries.count == 100)
        let errors = Reading.errors(text(50_000))
        #expect(errors.count == 1 && errors[0].hasPrefix("u: has too long a rule or text"), "\(errors.count)")
    }

    @Test("The changed occurrences of an event limit its notices, too")
    func manyChanges() throws {
        func event(_ id: String, _ alarm: [String] = Self.alarm) -> [String] {
            ["BEGIN:VEVENT", "UID:u", "DTSTART:20260101T120000", id, "RDATE:20270101T120000"] + alarm + ["END:VEVENT"]
        }
        let single = (1_000..<4_000).flatMap { event("RECURRENCE-ID:\($0)0201T120000", []) }
        let onward = (1_000..<1_100).flatMap { event("RECURRENCE-ID;RANGE=THISANDFUTURE:\($0)0301T120000") }
        let text = (["BEGIN:VCALENDAR"] + single + onward + ["END:VCALENDAR"]).joined(separator: "\n")
        #expect(Reading.errors(text).contains { $0.contains("has too long a rule") })
    }

    @Test("With as many errors as are reported, the rest of a calendar is not read", arguments: [0, 1])
    func stopsWhenFull(missing: Int) {
        let bad = (missing..<ScheduleError.limit).flatMap { number in
            ["BEGIN:VEVENT", "UID:\(number)"] + Self.alarm + ["END:VEVENT"]
        }
        let text = (["BEGIN:VCALENDAR"] + bad + Self.event("DTSTART:20260401T090000") + ["END:VCALENDAR"])
            .joined(separator: "\n")
        let collector = DiagnosticCollector(SourceText(Array(text.utf8)))
        var reading = ScheduleReading(collector: collector, options: ScheduleOptions(zone: Reading.berlin))
        reading.readCalendar(Array(text.utf8))
        #expect(collector.diagnostics.count == ScheduleError.limit - missing)
        #expect(reading.entries.count == missing)
    }

    @Test(
        "Events that share the rule of one with many lines or alarms don't read all of them",
        .timeLimit(.minutes(5)),
        arguments: [(["X:"], 60_000, 6_000), (mail, 5_000, 4_000)]
    )
    func shared(part: [String], parts: Int, events: Int) throws {
        func time(parts: Int, events: Int) throws -> Duration {
            let whole =
                ["BEGIN:VEVENT", "UID:u"] + Array(repeating: part, count: parts).joined()
                + ["DTSTART:10000101T000000", "RRULE:FREQ=YEARLY", "END:VEVENT"]
            let onward = (1_000..<1_000 + events).flatMap { year in
                ["BEGIN:VEVENT", "UID:u", "RECURRENCE-ID;RANGE=THISANDFUTURE:\(year)0101T000000"]
                    + ["DTSTART:\(year)0101T010000"] + Self.mail + ["END:VEVENT"]
            }
            let lines = ["BEGIN:VCALENDAR"] + whole + onward + ["END:VCALENDAR"]
            let text = lines.joined(separator: "\n")
            var warnings = 0
            let time = try processorTime {
                warnings = try Reading.schedule(text).warnings.count { $0.contains("EMAIL") }
            }
            #expect(warnings == lines.count { $0 == "ACTION:EMAIL" })
            return time
        }
        let apart = try time(parts: parts, events: 1) + time(parts: 0, events: events)
        let together = try time(parts: parts, events: events)
        #expect(together < apart * 3, "\(together), \(apart)")
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

    @Test("A line may be folded within a character, and is UTF-8 as a whole")
    func foldedCharacter() throws {
        let text = calendar(["DTSTART:20260401T120000Z", "LOCATION:Küche"], alarm: ["TRIGGER:PT0S"])
        var bytes = Array(text.utf8)
        let start = try #require(bytes.firstIndex(of: 0xC3))
        bytes.insert(contentsOf: Array("\r\n ".utf8), at: start + 1)
        let options = ScheduleOptions(zone: Reading.berlin)
        #expect(try NoticeSchedule(bytes, named: "a.ics", options: options).entries[0].content.body == "Küche")
        bytes[start] = 0xFF
        let error = #expect(throws: ScheduleError.self) {
            try NoticeSchedule(bytes, named: "a.ics", options: options)
        }
        #expect(error?.diagnostics.first?.message == "the line is not UTF-8")
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
                "An event: it is canceled, and its alarms are left out.",
            ]
        )
    }

    /// The coming dates of each entry of a calendar, by its identifier.
    private func dates(_ components: [String], from anchor: String = "2026-03-01") throws -> [String: [String]] {
        let text = (["BEGIN:VCALENDAR"] + components + ["END:VCALENDAR"]).joined(separator: "\n")
        let anchor = Reading.date(anchor)
        return try Dictionary(
            uniqueKeysWithValues: Reading.schedule(text).entries.map { entry in
                let trigger = try entry.requests(beginningAt: anchor, in: Reading.berlin)[0].trigger
                let dates = trigger?.previewOccurrences(6, after: anchor, in: Reading.berlin) ?? []
                return (entry.id ?? "", dates.map(Reading.text))
            }
        )
    }

    private static let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"]
    private static let mail = ["BEGIN:VALARM", "ACTION:EMAIL", "END:VALARM"]

    private static func event(_ lines: String..., kind: String = "VEVENT") -> [String] {
        ["BEGIN:\(kind)", "UID:u", "SUMMARY:Choir"] + lines + alarm + ["END:\(kind)"]
    }

    private static func zone(_ name: String, _ parts: (kind: String, lines: [String])...) -> [String] {
        let body = parts.flatMap { part in ["BEGIN:\(part.kind)"] + part.lines + ["END:\(part.kind)"] }
        return ["BEGIN:VTIMEZONE", "TZID:\(name)"] + body + ["END:VTIMEZONE"]
    }

    /// As Outlook writes it.
    private static let pacific = zone(
        "Pacific Standard Time",
        (
            "STANDARD",
            [
                "DTSTART:16011104T020000", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11", "TZOFFSETFROM:-0700",
                "TZOFFSETTO:-0800",
            ]
        ),
        (
            "DAYLIGHT",
            [
                "DTSTART:16010311T020000", "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "TZOFFSETFROM:-0800",
                "TZOFFSETTO:-0700",
            ]
        )
    )

    /// Berlin's hours, by the ends of their yearly changes.
    private static func office(daylightEnd: String, standardEnd: String) -> [String] {
        zone(
            "Office",
            (
                "DAYLIGHT",
                [
                    "DTSTART:19960331T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
                    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\(daylightEnd)",
                ]
            ),
            (
                "STANDARD",
                [
                    "DTSTART:19961027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
                    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\(standardEnd)",
                ]
            )
        )
    }

    private static let endingOffice = office(
        daylightEnd: ";UNTIL=20370329T010000Z",
        standardEnd: ";UNTIL=20371025T010000Z"
    )

    @Test(
        "A zone that the file defines is as the file defines it",
        arguments: [
            // In New Year's winter nine hours behind Berlin, eight between the two clock changes, and nine again.
            (pacific, "20260302T090000", "2026-03-02 18:00"), (pacific, "20260310T090000", "2026-03-10 17:00"),
            (pacific, "20260401T090000", "2026-04-01 18:00"),
            (
                zone("Kathmandu", ("STANDARD", ["DTSTART:16010101T000000", "TZOFFSETFROM:+0545", "TZOFFSETTO:+0545"])),
                "20260401T120000", "2026-04-01 08:15"
            ),
            // The second Sunday, by the days that it is among; the last one; and a zone that has given up changing.
            (
                zone(
                    "Days",
                    (
                        "DAYLIGHT",
                        [
                            "DTSTART:20070311T020000", "TZOFFSETTO:-0400", "TZOFFSETFROM:-0500",
                            "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU",
                        ]
                    ),
                    (
                        "STANDARD",
                        [
                            "DTSTART:20071028T020000", "TZOFFSETTO:-0500", "TZOFFSETFROM:-0400",
                            "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
                        ]
                    )
                ),
                "20260309T120000", "2026-03-09 17:00"
            ),
            (
                zone(
                    "Istanbul",
                    (
                        "DAYLIGHT",
                        [
                            "DTSTART:20070325T030000", "TZOFFSETTO:+0300", "TZOFFSETFROM:+0200",
                            "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20160327T010000Z",
                        ]
                    ),
                    ("STANDARD", ["DTSTART:20160907T000000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300"])
                ),
                "20261201T120000", "2026-12-01 10:00"
            ),
            // Its changes end, but not yet.
            (endingOffice, "20260715T120000", "2026-07-15 12:00"),
            (endingOffice, "20261215T120000", "2026-12-15 12:00"),
            (
                office(daylightEnd: "", standardEnd: ";UNTIL=20371025T010000Z"), "20261215T120000",
                "2026-12-15 12:00"
            ),
            (
                ["BEGIN:VTIMEZONE", "TZID:My zone", "X-LIC-LOCATION:Asia/Tokyo", "END:VTIMEZONE"], "20260401T120000",
                "2026-04-01 05:00"
            ),
        ]
    )
    func definedZones(zone: [String], start: String, expected: String) throws {
        let name = try #require(zone.first { $0.hasPrefix("TZID:") }).dropFirst(5)
        let event = Self.event("DTSTART;TZID=\"\(name)\":\(start)", "RRULE:FREQ=DAILY;COUNT=1")
        #expect(try dates(zone + event) == ["u/1": [expected]])
        // It is stored by what it is, and read from there.
        let text = (["BEGIN:VCALENDAR"] + zone + event + ["END:VCALENDAR"]).joined(separator: "\n")
        let request = try Reading.schedule(text).entries[0]
            .requests(beginningAt: Reading.date("2026-03-01"), in: Reading.berlin)[0]
        let restored = try JSONDecoder().decode(NoticeRequest.self, from: JSONEncoder().encode(request))
        #expect(restored == request)
        let next = restored.trigger?.nextTriggerDate(after: Reading.date("2026-03-01"), in: Reading.berlin)
        #expect(next.map(Reading.text) == expected)
    }

    @Test("A zone's name may have escapes where it is defined, or also where it is used")
    func escapedZone() throws {
        let offset = ["DTSTART:16010101T000000", "TZOFFSETFROM:+0545", "TZOFFSETTO:+0545"]
        let zone = Self.zone(#"Patan\, Bhaktapur"#, ("STANDARD", offset))
        for name in ["Patan, Bhaktapur", #"Patan\, Bhaktapur"#] {
            let event = Self.event("DTSTART;TZID=\"\(name)\":20260401T120000")
            #expect(try dates(zone + event) == ["u/1": ["2026-04-01 08:15"]])
        }
    }

    @Test("Of an event's revisions the last one counts, wherever it stands")
    func revisions() throws {
        func event(_ hour: Int, _ lines: String...) -> [String] {
            ["BEGIN:VEVENT", "UID:u", "DTSTART:20260401T\(hour)0000"] + lines + Self.alarm + ["END:VEVENT"]
        }
        let first = event(10, "DTSTAMP:20260301T080000Z")
        let later = event(11, "DTSTAMP:20260302T080000Z")
        let last = event(12, "DTSTAMP:20260101T080000Z", "SEQUENCE:1")
        #expect(try dates(last + first + later) == ["u/1": ["2026-04-01 12:00"]])
        #expect(try dates(later + first) == ["u/1": ["2026-04-01 11:00"]])
        // A changed occurrence has revisions of its own.
        let changed = event(13, "RECURRENCE-ID:20260401T120000", "SEQUENCE:0")
        #expect(try dates(last + changed).count == 2)
        // Copies of a revision are one event, but two events with the number of one are an error.
        #expect(try dates(first + later + later + first) == ["u/1": ["2026-04-01 11:00"]])
        let other = event(13, "DTSTAMP:20260301T080000Z")
        let text = (["BEGIN:VCALENDAR"] + first + other + ["END:VCALENDAR"]).joined(separator: "\n")
        #expect(Reading.errors(text).first?.contains("identifiers must differ") == true)
    }

    @Test("An occurrence alone is no revision of it and all that follow it")
    func revisionsOfTheRest() throws {
        let whole = Self.event("DTSTART:20260401T080000", "RRULE:FREQ=DAILY;COUNT=3")
        let rest = Self.event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260402T080000", "DTSTART:20260402T100000")
        let silent = ["BEGIN:VEVENT", "UID:u", "SEQUENCE:1", "RECURRENCE-ID:20260402T080000", "END:VEVENT"]
        #expect(
            try dates(whole + rest + silent) == [
                "u/1": ["2026-04-01 08:00"], "u/20260402T080000/1": ["2026-04-03 10:00"],
            ]
        )
    }

    @Test("An event without a UID is no revision of another one, and its alarm is an error")
    func revisionsWithoutUID() {
        let event = ["BEGIN:VEVENT", "DTSTART:20260401T090000"] + Self.alarm + ["END:VEVENT"]
        let silent = ["BEGIN:VEVENT", "DTSTART:20260401T090000", "SEQUENCE:1", "END:VEVENT"]
        let text = (["BEGIN:VCALENDAR"] + event + silent + ["END:VCALENDAR"]).joined(separator: "\n")
        #expect(Reading.errors(text) == ["VEVENT.UID: is missing; an event needs one, so that it can be identified"])
    }

    @Test("A zone whose changes to come are listed one by one is not known")
    func singleChanges() {
        let zone = Self.zone(
            "Office",
            ("DAYLIGHT", ["DTSTART:20900326T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"]),
            ("STANDARD", ["DTSTART:20901029T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100"])
        )
        let event = Self.event("DTSTART;TZID=Office:20900715T120000")
        let errors = Reading.errors((["BEGIN:VCALENDAR"] + zone + event + ["END:VCALENDAR"]).joined(separator: "\n"))
        #expect(errors.count == 1 && errors[0].contains("is not known"), "\(errors)")
    }

    @Test("A changed occurrence that stands for the rest moves it, and a later one moves what is left")
    func thisAndFuture() throws {
        let whole = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=8", "EXDATE:20260306T090000")
        let rest = Self.event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000", "DTSTART:20260303T110000")
        #expect(
            try dates(whole + rest) == [
                "u/1": ["2026-03-01 09:00", "2026-03-02 09:00"],
                "u/20260303T090000/1": [
                    "2026-03-03 11:00", "2026-03-04 11:00", "2026-03-05 11:00", "2026-03-07 11:00", "2026-03-08 11:00",
                ],
            ]
        )
        let last = Self.event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260307T090000", "DTSTART:20260308T080000")
        let single = Self.event("RECURRENCE-ID:20260304T090000", "DTSTART:20260304T200000")
        #expect(
            try dates(last + single + rest + whole) == [
                "u/1": ["2026-03-01 09:00", "2026-03-02 09:00"],
                "u/20260303T090000/1": ["2026-03-03 11:00", "2026-03-05 11:00"],
                "u/20260304T090000/1": ["2026-03-04 20:00"],
                "u/20260307T090000/1": ["2026-03-08 08:00", "2026-03-09 08:00"],
            ]
        )
    }

    @Test("A changed occurrence may be named by its day, alone or with all that follow it")
    func overridesByDay() throws {
        let whole = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=3")
        let single = Self.event("RECURRENCE-ID;VALUE=DATE:20260302", "DTSTART:20260302T110000")
        #expect(
            try dates(whole + single) == [
                "u/1": ["2026-03-01 09:00", "2026-03-03 09:00"], "u/20260302/1": ["2026-03-02 11:00"],
            ]
        )
        let rest = Self.event("RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260302", "DTSTART:20260302T110000")
        #expect(
            try dates(whole + rest) == [
                "u/1": ["2026-03-01 09:00"], "u/20260302/1": ["2026-03-02 11:00", "2026-03-03 11:00"],
            ]
        )
        // In Tokyo the day is the event's, which begins on the day before in Berlin.
        let early = Self.event("DTSTART;TZID=Asia/Tokyo:20260302T070000", "RRULE:FREQ=DAILY;COUNT=3")
        let late = Self.event(
            "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260303",
            "DTSTART;TZID=Asia/Tokyo:20260303T090000"
        )
        #expect(
            try dates(early + late) == [
                "u/1": ["2026-03-01 23:00"], "u/20260303/1": ["2026-03-03 01:00", "2026-03-04 01:00"],
            ]
        )
    }

    @Test(
        "An event without an occurrence left is told, and the rest of the calendar is used",
        arguments: [
            (event("DTSTART:20260401T090000", "RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20260401T090000"), []),
            (
                event("DTSTART:20260401T090000", "RRULE:FREQ=DAILY;COUNT=2")
                    + event("RECURRENCE-ID:20260401T090000", "DTSTART:20260401T110000")
                    + event("RECURRENCE-ID:20260402T090000", "DTSTART:20260402T110000"),
                ["u/20260401T090000/1", "u/20260402T090000/1"]
            ),
            // As programs leave a series that was cut at its first date.
            (event("DTSTART:20260401T090000", "RRULE:FREQ=WEEKLY;UNTIL=20260331T215959Z"), []),
        ] as [([String], [String])]
    )
    func nothingLeft(events: [String], changed: [String]) throws {
        let good = ["BEGIN:VEVENT", "UID:v", "DTSTART:20260401T090000"] + Self.alarm + ["END:VEVENT"]
        let text = (["BEGIN:VCALENDAR"] + events + good + ["END:VCALENDAR"]).joined(separator: "\n")
        let wanted = try Reading.schedule(text)
            .requests(of: "o", beginningAt: Reading.date("2026-03-01"), in: Reading.berlin).entries
        #expect(wanted.filter { $0.requests?.count == 1 }.map(\.name) == changed + ["v/1"])
        let empty = wanted.filter { $0.requests?.isEmpty == true }
        #expect(empty.map(\.name) == ["u/1"] && empty.map(\.remark) == ["It has no occurrence left."])
    }

    @Test("Without a rule there is nothing that an exclusion could leave out")
    func exclusionsAlone() throws {
        let event = Self.event("DTSTART:20260301T090000", "EXDATE:20260302T090000")
        #expect(try dates(event) == ["u/1": ["2026-03-01 09:00"]])
    }

    @Test("A moved rest keeps its time of day across a clock change, and may be without alarms")
    func movedRest() throws {
        let zone = "TZID=Europe/Berlin"
        let whole = Self.event("DTSTART;\(zone):20260327T090000", "RRULE:FREQ=DAILY;COUNT=4")
        let rest = Self.event(
            "RECURRENCE-ID;RANGE=THISANDFUTURE;\(zone):20260328T090000",
            "DTSTART;\(zone):20260328T100000"
        )
        #expect(
            try dates(whole + rest)["u/20260328T090000/1"] == [
                "2026-03-28 10:00", "2026-03-29 10:00", "2026-03-30 10:00",
            ]
        )
        // To another day and time, named in UTC as well.
        for turn in [";\(zone):20260328T090000", ":20260328T080000Z"] {
            let earlier = Self.event(
                "RECURRENCE-ID;RANGE=THISANDFUTURE\(turn)",
                "DTSTART;\(zone):20260327T120000"
            )
            #expect(
                try dates(whole + earlier).values.contains([
                    "2026-03-27 12:00", "2026-03-28 12:00", "2026-03-29 12:00",
                ])
            )
        }
        let silent = ["BEGIN:VEVENT", "UID:u", "RECURRENCE-ID;RANGE=THISANDFUTURE;\(zone):20260328T090000"]
        #expect(try dates(whole + silent + ["END:VEVENT"]) == ["u/1": ["2026-03-27 09:00"]])
    }

    @Test("The events of a cancellation are left out and told, and their occurrences are taken out of the series")
    func cancellations() throws {
        func cancellation(_ events: [String]) -> [String] {
            ["END:VCALENDAR", "BEGIN:VCALENDAR", "METHOD:Cancel"] + events
        }
        let series = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=3")
        let single = Self.event("RECURRENCE-ID:20260302T090000", "DTSTART:20260302T090000")
        #expect(
            try dates(series + cancellation(single)) == ["u/1": ["2026-03-01 09:00", "2026-03-03 09:00"]]
        )
        let whole = cancellation(Self.event("DTSTART:20260301T090000", "SEQUENCE:1"))
        #expect(try dates(series + whole).isEmpty)
        let text = (["BEGIN:VCALENDAR"] + whole + ["END:VCALENDAR"]).joined(separator: "\n")
        #expect(try Reading.schedule(text).warnings.first == "Choir: it is canceled, and its alarms are left out.")
    }

    @Test("A cancellation of a whole series is one of its changed occurrences, also without a number of its own")
    func cancellationOfAll() throws {
        let series = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=3")
        let moved = Self.event("RECURRENCE-ID:20260302T090000", "DTSTART:20260302T110000")
        let rest = Self.event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000", "DTSTART:20260303T120000")
        let cancellation = ["END:VCALENDAR", "BEGIN:VCALENDAR", "METHOD:CANCEL"]
        for number in [["SEQUENCE:1"], []] {
            let whole = ["BEGIN:VEVENT", "UID:u", "DTSTART:20260301T090000"] + number + ["END:VEVENT"]
            #expect(try dates(series + moved + rest + cancellation + whole).isEmpty)
        }
        // The user is invited to one of its occurrences again.
        let late = Self.event("RECURRENCE-ID:20260302T090000", "DTSTART:20260302T110000", "DTSTAMP:20260102T000000Z")
        let dated = ["BEGIN:VEVENT", "UID:u", "SEQUENCE:1", "DTSTAMP:20260101T000000Z", "END:VEVENT"]
        #expect(
            try dates(series + late + cancellation + dated) == ["u/20260302T090000/1": ["2026-03-02 11:00"]]
        )
        // One that is older than the series counts for nothing.
        let renewed = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=3", "SEQUENCE:2")
        let earlier = ["BEGIN:VEVENT", "UID:u", "SEQUENCE:1", "DTSTART:20260301T090000", "END:VEVENT"]
        #expect(
            try dates(renewed + moved + cancellation + earlier) == [
                "u/1": ["2026-03-01 09:00", "2026-03-03 09:00"], "u/20260302T090000/1": ["2026-03-02 11:00"],
            ]
        )
    }

    @Test("A cancellation of the rest of a series is one of its changed occurrences, too")
    func cancellationOfRest() throws {
        let series = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=8")
        let before = Self.event("RECURRENCE-ID:20260302T090000", "DTSTART:20260302T110000")
        let moved = Self.event("RECURRENCE-ID;VALUE=DATE:20260304", "DTSTART:20260304T110000")
        let rest = Self.event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260306T090000", "DTSTART:20260306T120000")
        let late = Self.event("RECURRENCE-ID:20260305T090000", "DTSTART:20260305T110000", "DTSTAMP:20260103T000000Z")
        func cancellation(_ day: String, _ lines: String...) -> [String] {
            let id = "RECURRENCE-ID;RANGE=THISANDFUTURE:202603\(day)T090000"
            return ["END:VCALENDAR", "BEGIN:VCALENDAR", "METHOD:CANCEL", "BEGIN:VEVENT", "UID:u", id] + lines
                + ["END:VEVENT"]
        }
        let left = ["u/1": ["2026-03-01 09:00"], "u/20260302T090000/1": ["2026-03-02 11:00"]]
        #expect(try dates(series + before + moved + rest + cancellation("03")) == left)
        // A changed occurrence counts if it was sent after all the cancellations that have it.
        let sent = cancellation("03", "DTSTAMP:20260102T000000Z") + cancellation("04", "DTSTAMP:20260101T000000Z")
        #expect(
            try dates(series + before + moved + late + sent)
                == left.merging(["u/20260305T090000/1": ["2026-03-05 11:00"]]) { $1 }
        )
        let last = cancellation("03", "DTSTAMP:20260104T000000Z") + cancellation("04", "DTSTAMP:20260101T000000Z")
        #expect(try dates(series + before + moved + late + last) == left)
    }

    @Test(
        "A cancellation or a change of a task is none of an event with its UID, nor the other way round",
        arguments: [("VEVENT", "VTODO"), ("VTODO", "VEVENT")]
    )
    func otherKind(kind: String, other: String) throws {
        let series = Self.event("DTSTART:20260301T090000", "RRULE:FREQ=DAILY;COUNT=3", kind: kind)
        let changed = ["BEGIN:\(other)", "UID:u", "RECURRENCE-ID:20260302T090000", "END:\(other)"]
        let whole = ["BEGIN:\(other)", "UID:u", "DTSTART:20260301T090000", "SEQUENCE:1", "END:\(other)"]
        let cancellation = ["END:VCALENDAR", "BEGIN:VCALENDAR", "METHOD:CANCEL"]
        #expect(
            try dates(series + changed + cancellation + whole) == [
                "u/1": ["2026-03-01 09:00", "2026-03-02 09:00", "2026-03-03 09:00"]
            ]
        )
    }

    @Test(
        "Alarms of a completed task are left out and told; those of an open one fire",
        arguments: [
            (["STATUS:COMPLETED"], true), (["COMPLETED:20260301T080000Z"], true), (["PERCENT-COMPLETE:100"], true),
            (["STATUS:IN-PROCESS", "PERCENT-COMPLETE:50"], false),
        ]
    )
    func completedTasks(lines: [String], isCompleted: Bool) throws {
        let task = Self.event((["DUE:20260401T090000"] + lines).joined(separator: "\n"), kind: "VTODO")
        let text = (["BEGIN:VCALENDAR"] + task + ["END:VCALENDAR"]).joined(separator: "\n")
        let schedule = try Reading.schedule(text)
        #expect(schedule.entries.isEmpty == isCompleted)
        #expect(
            schedule.warnings.first
                == (isCompleted ? "Choir: it is completed, and its alarms are left out." : nil)
        )
    }

    @Test(
        "An exclusion that can't be read is an error, as its dates would fire",
        arguments: [
            (
                event("RECURRENCE-ID:soon", "DTSTART:20260402T110000"),
                "VEVENT.RECURRENCE-ID: 'soon' is no date such as 20261224T180000"
            ),
            // An empty one makes no later revision of the series.
            (
                event("RECURRENCE-ID:", "SEQUENCE:1", "DTSTART:20260402T110000"),
                "VEVENT.RECURRENCE-ID: '' is no date such as 20261224T180000"
            ),
            (
                event("RECURRENCE-ID;RANGE=THISANDFUTURE:soon", "DTSTART:20260402T110000"),
                "VEVENT.RECURRENCE-ID: 'soon' is no date such as 20261224T180000"
            ),
            (
                ["BEGIN:VEVENT", "UID:u", "RECURRENCE-ID;RANGE=THISANDFUTURE:soon", "END:VEVENT"],
                "VEVENT.RECURRENCE-ID: 'soon' is no date such as 20261224T180000"
            ),
            (
                ["BEGIN:VEVENT", "UID:v", "DTSTART:20260402T110000", "RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY"] + alarm
                    + ["END:VEVENT"],
                "VEVENT.EXRULE: is no longer part of iCalendar; write the dates that it excludes as EXDATE"
            ),
        ] as [([String], String)]
    )
    func unreadableExclusions(event: [String], expected: String) {
        let whole = Self.event("DTSTART:20260401T090000", "RRULE:FREQ=DAILY;COUNT=3")
        let text = (["BEGIN:VCALENDAR"] + whole + event + ["END:VCALENDAR"]).joined(separator: "\n")
        #expect(Reading.errors(text) == [expected])
    }

    @Test("An alarm with a date of its own needs no date of its task")
    func datelessTask() throws {
        func task(_ triggers: String...) -> String {
            let alarms = triggers.flatMap { ["BEGIN:VALARM", $0, "END:VALARM"] }
            let task = ["BEGIN:VTODO", "UID:u", "SUMMARY:Tea"] + alarms + ["END:VTODO"]
            return (["BEGIN:VCALENDAR"] + task + ["END:VCALENDAR"]).joined(separator: "\n")
        }
        let own = "TRIGGER;VALUE=DATE-TIME:20260401T080000Z"
        #expect(try Reading.dates(task(own), from: "2026-03-01") == ["2026-04-01 10:00"])
        for text in [task("TRIGGER:PT0S"), task(own, "TRIGGER:PT0S")] {
            #expect(Reading.errors(text) == ["VTODO.DTSTART: is missing; an alarm counts from it"])
        }
    }

    @Test(
        "What can't be read is an error with its line",
        arguments: [
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR", 2), ("BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR", 2),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT", 2),
            // The component without its END, and not the one whose END is found instead.
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VALARM\nEND:VEVENT\nEND:VCALENDAR", 3),
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
    func errors(text: String, line: Int) {
        let error = #expect(throws: ScheduleError.self) { try Reading.schedule(text) }
        #expect(error?.diagnostics.first?.position?.line == line, "\(String(describing: error))")
    }
}
