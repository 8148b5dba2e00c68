import Belfry
import BelfryTestSupport
import Testing

@testable import BelfrySchedules

/// What else is wrong in a file is tested beside its form; here is what a user reads of slips in the notation itself.
@Suite("What is wrong in a schedule file is told in words that help", .takesTurns)
struct ScheduleMessageTests {
    @Test(
        "A slip in the JSON is named",
        arguments: [
            ("", "the file ends where a value should be"), ("{", "the file ends inside the object that begins here"),
            ("[1", "the file ends where a comma or ']' should be"), ("{a}", "a colon is missing after the key 'a'"),
            ("{,}", "a key is missing here: a name, or a text in quotes"),
            ("hello", "'hello' is no value; a text stands in quotes"), ("?", "there is no value here"),
            ("1 2", "something follows the end of the value"), ("01", "a number begins with a zero"),
            ("1e", "a digit is missing"), ("0x", "a hexadecimal digit is missing"),
            ("12abc", "a number ends here, and something follows it without a blank"),
            ("'a", "the text that begins here has no end"), ("'a\\", "the text that begins here has no end"),
            ("'a\nb'", "the text that begins here does not end in its line; a line break is written \\n"),
            (#"'\1'"#, "a backslash before a digit means nothing"), (#"'\01'"#, "'\\0' is followed by a digit"),
            (#"'\x4'"#, "a hexadecimal digit is missing"), (#"'\ud800'"#, "half of a surrogate pair stands alone"),
            ("/* a", "the comment that begins here has no end"),
            ("/", "a slash alone means nothing here; a comment begins with // or /*"),
        ]
    )
    func notation(text: String, reason: String) {
        #expect(JSON5Reader.read(Array(text.utf8)).errors.last?.reason == reason)
    }

    @Test(
        "Where strict JSON is read, what JSON5 adds is none",
        arguments: [
            ("{a:1}", "a key in quotes is missing here"), ("[1,]", "a value is missing after the comma"),
            ("'a'", "there is no value here"), ("[1 2]", "a comma is missing here"), (".5", "there is no value here"),
            ("5.", "a digit is missing"), (#""\x41""#, "this is no escape of JSON"), ("[1]//", "something follows"),
            ("NaN", "'NaN' is no value"), ("\"a\tb\"", "a control character stands in a text; escape it"),
        ]
    )
    func strict(text: String, reason: String) {
        let error = #expect(throws: JSON5Error.self) { try JSONValue(json: Array(text.utf8)) }
        #expect(error?.reason.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test(
        "A trigger says what may stand beside it, and what its values can be",
        arguments: [
            (
                #""rrule":"FREQ=DAILY","starting":"2026-01-01""#,
                "starting: does not go with 'rrule'; a rule's first date is its"
            ),
            (#""in":"1h","zone":"UTC""#, "zone: does not go with 'in'; beside 'in' may stand nothing"),
            (
                #""every":"1h","startsNow":true,"until":"2027-01-01""#,
                "startsNow: does not go with 'starting' and 'until'"
            ),
            (#""every":"90500ms","until":"2027-01-01""#, "every: must be whole seconds, at most 100 years"),
            (#""match":{}"#, ".match: has no date component; there are "),
            (#""match":{"weekday":"mo"}"#, ".match.weekday: must be"),
            (#""at":5"#, ".at: must be a date such as '2026-12-24 18:00'"),
            (#""in":true"#, ".in: must be a duration such as '90s' or '1h30m', or seconds, found true"),
            (#""in":"""#, ".in: The duration is empty: write it as 90s, 5m, 1h30m or 2d."),
            (#""in":"h""#, "has no number before 'h': write it as"), (#""in":"5""#, "has no unit after 5: write it as"),
            (#""in":"5y""#, "has the unit 'y', which is none of w, d, h, m, s and ms"),
            (#""in":"5m1h""#, "each unit stands once, from large to small"), (#""at":"""#, "the date is empty"),
            (#""at":"@x""#, "after @ come seconds since 1970, such as @1767225600"),
            (#""at":"2026-13-01""#, "the month 13 is not in 1–12"),
            (#""at":"2026-02-29""#, "the day 29 is not in 1–28, the days of that month"),
        ]
    )
    func triggers(text: String, part: String) {
        let errors = Reading.errors(Reading.native(trigger: text))
        #expect(errors.count == 1 && errors[0].contains(part), "\(errors)")
    }

    @Test(
        "So do the parts of a content",
        arguments: [
            (#""hints":[1]"#, ".hints: must be an object of hints by name"),
            (#""hints":{"x":null}"#, ".hints.x: must be a value"),
            (#""hints":{"x":{"byte":1,"int":1}}"#, ".hints.x: must have one key, its type: "),
            (#""hints":{"x":{"byte":256}}"#, ".hints.x.byte: must be a whole number, 0 to 255, found 256"),
            (#""userInfo":[1]"#, ".userInfo: must be an object"),
            (#""languages":["de",1]"#, ".languages: must be a list of texts"),
            (#""actions":{}"#, ".actions: must be a list"),
            (#""actions":[{"title":"X"}]"#, ".actions[0].id: is missing"),
            (#""attachments":[{"id":"x"}]"#, ".attachments[0].path: is missing; name the file"),
            (
                #""misfire":{}"#,
                ".misfire: must be 'skip', 'deliverLate' or { \"deliverLate\": { \"within\": \"1h\" } }"
            ),
            (#""misfire":{"deliverLate":{"within":"soon"}}"#, ".misfire.deliverLate.within: The duration 'soon'"),
            (#""progress":-0.5"#, ".progress: must be 0 to 1, found -0.5"),
            (#""badge":-1"#, ".badge: must be a whole number, 0 or more"),
            (#""isTransient":"yes""#, ".isTransient: must be true or false, found 'yes'"),
        ]
    )
    func contents(text: String, part: String) {
        let errors = Reading.errors(Reading.native(#"\#(text),"trigger":{"in":"1h"}"#))
        #expect(errors.count == 1 && errors[0].contains(part), "\(errors)")
    }

    @Test("A series whose elements are too far apart is not told to be longer")
    func spacing() {
        let errors = Reading.errors(Reading.native(#""series":{"spacing":2000000000,"count":2}"#))
        #expect(
            errors == [
                "notices[0].series.spacing: must be at least 1 s, and at most 1,000,000,000 s, found 2000000000"
            ]
        )
    }

    @Test("Hints have the types that they name, attachments their own, and a late notice a limit")
    func typedValues() throws {
        let hints =
            #"{"b":{"byte":1},"i":{"int":2},"l":{"int64":3},"u":{"uint":4},"d":{"double":5},"s":{"string":"6"},"#
            + #""t":{"bool":true},"large":5000000000,"half":0.5,"yes":false}"#
        let attached = #"[{"path":"/etc/hostname","id":"host","mediaType":"text/plain"}]"#
        let text = #""hints":\#(hints),"attachments":\#(attached),"misfire":{"deliverLate":{}},"trigger":{"in":1.5}"#
        let entry = try #require(try Reading.schedule(Reading.native(text)).entries.first)
        #expect(
            entry.content.desktop.hints == [
                "b": .byte(1), "i": .int(2), "l": .int64(3), "u": .uint(4), "d": .double(5), "s": .string("6"),
                "t": .bool(true), "large": .int64(5_000_000_000), "half": .double(0.5), "yes": .bool(false),
            ]
        )
        let host = NoticeAttachment(id: "host", path: "/etc/hostname", mediaType: "text/plain")
        #expect(entry.content.attachments == [host])
        #expect(entry.request.misfire == .deliver)
        let trigger = try entry.requests(beginningAt: Reading.date("2026-01-01"))[0].trigger
        #expect(trigger as? IntervalTrigger == IntervalTrigger(after: .milliseconds(1_500)))
    }

    private static func calendar(_ event: String..., alarm: [String] = ["TRIGGER:PT0S"]) -> String {
        let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u"] + event + ["BEGIN:VALARM"] + alarm
        return (lines + ["END:VALARM", "END:VEVENT", "END:VCALENDAR"]).joined(separator: "\n")
    }

    @Test(
        "A line of a calendar that can't be read is named, with what belongs there",
        arguments: [
            (
                "BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR",
                "the line has no colon; a line is a name, a colon and a value"
            ),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VEVENT", "there is no BEGIN to this END"),
            ("BEGIN:VCALENDAR\nEND:VEVENT", "the VCALENDAR that begins here has no END before END:VEVENT"),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT", "the VEVENT that begins here has no END"),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VALARM\nEND:VEVENT \nEND:VCALENDAR",
                "the VALARM that begins here has no END before END:VEVENT"
            ),
            (
                "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:VEVENT\n", count: 16),
                "components are nested deeper than 16 levels"
            ),
            (calendar("DTSTART:2026"), "VEVENT.DTSTART: '2026' is no date such as 20261224T180000"),
            (calendar("SUMMARY:Tea"), "VEVENT.DTSTART: is missing; an alarm counts from it"),
            (calendar("DTSTART:20260401T120000Z", "DURATION:1h"), "VEVENT.DURATION: '1h' is no duration such as PT1H"),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR",
                "VEVENT.UID: is missing; an event needs one, so that it can be identified"
            ),
            (calendar("DTSTART:20260231T120000"), "can't be: the day 31 is not in 1–28"),
            (
                calendar("DTSTART;TZID=Mars:20260401T120000"),
                "the zone 'Mars' is not known; write a name of the zone data"
            ),
            (calendar("DTSTART:20260401T120000", alarm: ["ACTION:DISPLAY"]), "u.VALARM[0]: has no TRIGGER"),
            (
                calendar("DTSTART:20260401T120000", alarm: ["TRIGGER:soon"]),
                "u.VALARM[0].TRIGGER: 'soon' is no duration such as -PT15M"
            ),
            (
                calendar("DTSTART:20260401T120000", alarm: ["TRIGGER:P200000000000W"]),
                "u.VALARM[0].TRIGGER: 'P200000000000W' is too long; a duration is 100 years at most"
            ),
            (
                calendar("DTSTART:20260401T120000Z", "DURATION:PT3153600001S"),
                "VEVENT.DURATION: 'PT3153600001S' is too long; a duration is 100 years at most"
            ),
            (
                calendar("DTSTART:20260401T120000", alarm: ["TRIGGER:PT0S", "REPEAT:2", "DURATION:P36501D"]),
                "u.VALARM[0].DURATION: 'P36501D' is too long; a duration is 100 years at most"
            ),
            (
                calendar("DTSTART:20260401T120000", alarm: ["TRIGGER:PT0S", "REPEAT:three", "DURATION:PT1M"]),
                "u.VALARM[0].REPEAT: 'three' is no number of repeats, 0 to 100"
            ),
            (
                calendar("DTSTART:20260401T120000", alarm: ["TRIGGER:PT0S", "REPEAT:2"]),
                "u.VALARM[0].REPEAT: needs a DURATION beside it, such as PT5M"
            ),
            (
                calendar("DTSTART:20260401T120000", alarm: ["TRIGGER:PT0S", "REPEAT:101", "DURATION:PT1M"]),
                "u.VALARM[0].REPEAT: '101' is no number of repeats, 0 to 100"
            ),
        ]
    )
    func calendars(text: String, part: String) {
        let errors = Reading.errors(text)
        #expect(errors.contains { $0.contains(part) }, "\(errors)")
    }

    @Test("A file full of errors costs no more than its first hundred", .timeLimit(.minutes(1)))
    func manyErrors() {
        let keys = Array(repeating: #""a":1"#, count: 100_000).joined(separator: ",")
        let errors = Reading.errors("{\(keys)}")
        #expect(errors.count == ScheduleError.limit)
    }

    @Test("A calendar without alarms is read, and says that nothing is in it")
    func withoutAlarms() throws {
        let schedule = try Reading.schedule("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nEND:VEVENT\nEND:VCALENDAR")
        #expect(schedule.entries.isEmpty && schedule.warnings == ["The calendar has no alarm."])
    }

    @Test(
        "A file of more than 4 MiB is refused by its size, whatever is in it",
        arguments: ["{}", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:ü\nEND:VEVENT\nEND:VCALENDAR"]
    )
    func tooLarge(text: String) throws {
        let limit = 4 << 20
        let padding = String(repeating: "\n", count: limit - text.utf8.count)
        #expect(!Reading.errors(text + padding).contains { $0.contains("4 MiB") })
        // An end that is far beyond the limit, and a character that the limit would split.
        for large in [padding + padding + text, padding + String(repeating: "ü", count: limit) + text] {
            let folder = try TemporaryFolder()
            let file = try folder.write("large", String(text.prefix(20)) + large)
            #expect(Reading.errors(String(text.prefix(20)) + large) == [": the file has more than 4 MiB; split it"])
            let error = #expect(throws: ScheduleError.self) { try NoticeSchedule(contentsOf: file) }
            #expect(error?.diagnostics.map(\.message) == ["the file has more than 4 MiB; split it"])
        }
    }

    @Test("A file of more notices than anybody keeps is refused by their number")
    func tooMany() {
        let notice = #"{"id":"a","title":"A","trigger":{"in":1}}"#
        let text = #"{"version":1,"notices":["# + Array(repeating: notice, count: 10_001).joined(separator: ",") + "]}"
        #expect(Reading.errors(text) == ["notices: has 10001 notices; 10000 is the most"])
    }
}
