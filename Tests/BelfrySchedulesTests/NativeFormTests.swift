import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySchedules

@Suite("Belfry's own form of a schedule file", .takesTurns)
struct NativeFormTests {
    private func trigger(_ text: String) throws -> (any NoticeTrigger)? {
        let entry = try #require(try Reading.schedule(Reading.native(trigger: text)).entries.first)
        return try entry.requests(beginningAt: Reading.date("2026-03-01 12:00"), in: Reading.berlin)[0].trigger
    }

    @Test("Every kind of trigger is the API's")
    func kinds() throws {
        #expect(try trigger(#""in":"90s""#) as? IntervalTrigger == IntervalTrigger(after: .seconds(90)))
        #expect(try trigger(#""in":90"#) as? IntervalTrigger == IntervalTrigger(after: .seconds(90)))
        #expect(
            try trigger(#""at":"2026-12-24 18:00""#) as? DateTrigger
                == DateTrigger(date: Reading.date("2026-12-24 18:00"))
        )
        #expect(
            try trigger(#""at":"2026-12-24 18:00","zone":"UTC""#) as? DateTrigger
                == DateTrigger(date: Date(timeIntervalSince1970: 1_798_135_200))
        )
        #expect(
            try trigger(#""every":"1h","times":3,"startsNow":true"#) as? IntervalTrigger
                == IntervalTrigger(every: .seconds(3600), startsNow: true, count: 3)
        )
        #expect(
            try trigger(#""match":{"weekday":"tue","hour":19},"repeats":true,"zone":"Asia/Tokyo","times":9"#)
                as? CalendarTrigger
                == CalendarTrigger(
                    matching: DateFields(weekday: 3, hour: 19),
                    repeats: true,
                    options: .init(zone: .named("Asia/Tokyo"), count: 9)
                )
        )
        #expect(
            try trigger(
                #""match":[{"day":-1},{"month":"may","day":3}],"missingDate":"skip","missingTime":"firstValid","repeatedTime":"last","firstWeekday":2,"minimumDaysInFirstWeek":4"#
            ) as? CalendarTrigger
                == CalendarTrigger(
                    matching: [DateFields(day: -1), DateFields(month: 5, day: 3)],
                    repeats: false,
                    options: .init(
                        policies: DatePolicies(missingDate: .skip, missingTime: .firstValid, repeatedTime: .last),
                        weeks: WeekRules(firstWeekday: 2, minimumDaysInFirstWeek: 4)
                    )
                )
        )
        #expect(
            try trigger(#""on":"Mon..Fri 09:25","until":"2027-12-31","starting":"2026-06-01","times":200"#)
                as? RecurrenceTrigger
                == RecurrenceTrigger(
                    .onCalendar("Mon..Fri 09:25"),
                    starting: Reading.date("2026-06-01"),
                    until: Reading.date("2027-12-31 23:59:59"),
                    count: 200
                )
        )
        #expect(
            try trigger(#""cron":"25 9 * * 1-5""#) as? RecurrenceTrigger == RecurrenceTrigger(.cron("25 9 * * 1-5"))
        )
        #expect(
            try trigger(#""rrule":"FREQ=WEEKLY;BYDAY=MO","start":"2026-06-01 08:00""#) as? RecurrenceTrigger
                == RecurrenceTrigger(.rrule("DTSTART:20260601T080000\nRRULE:FREQ=WEEKLY;BYDAY=MO"))
        )
        var near = LocationTrigger(
            region: CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150),
            edge: .both,
            dwell: .seconds(60),
            repeats: true
        )
        near.during = "Mon..Fri 08..18:*"
        #expect(
            try trigger(
                #""near":{"latitude":48.137,"longitude":11.575,"radius":150},"edge":"both","dwell":"1m","repeats":true,"during":"Mon..Fri 08..18:*""#
            ) as? LocationTrigger == near
        )
    }

    @Test("An interval between two dates keeps its phase from the first, or from its beginning")
    func boundedInterval() throws {
        let bounded = Reading.native(trigger: #""every":"90m","starting":"2026-03-29 00:00","until":"2026-03-29""#)
        #expect(
            try Reading.dates(bounded, from: "2026-03-01", count: 4)
                == ["2026-03-29 00:00", "2026-03-29 01:30", "2026-03-29 04:00", "2026-03-29 05:30"]
        )
        let ending = Reading.native(trigger: #""every":"1h","until":"2026-03-01 14:30""#)
        #expect(try Reading.dates(ending, from: "2026-03-01 12:00") == ["2026-03-01 13:00", "2026-03-01 14:00"])
    }

    @Test(
        "A rule's start that a clock change skips moves the first date alone",
        arguments: [#""start":"2027-03-28 02:30""#, #""start":"2027-03-28 02:30","zone":"Europe/Berlin""#]
    )
    func skippedStart(start: String) throws {
        let rule = Reading.native(trigger: #""rrule":"FREQ=DAILY",\#(start)"#)
        #expect(
            try Reading.dates(rule, from: "2027-03-01", count: 3)
                == ["2027-03-28 03:30", "2027-03-29 02:30", "2027-03-30 02:30"]
        )
        // An instant is one of the zone's clock, here 3:30.
        let instant = rule.replacingOccurrences(of: "2027-03-28 02:30", with: "2027-03-28T01:30:00Z")
        #expect(
            try Reading.dates(instant, from: "2027-03-01", count: 2) == ["2027-03-28 03:30", "2027-03-29 03:30"]
        )
    }

    @Test("The content's keys are the API's names")
    func content() throws {
        let text = Reading.native(
            #"""
            "subtitle":"S","body":{"en":"B","de":"K"},"bodyFormat":"markup","thread":"t","category":"c","level":"critical",
            "relevance":0.5,"progress":1,"badge":3,"sound":"silent","image":"folder","icon":"alarm-symbolic","expiry":"never",
            "isTransient":true,"isResident":true,"isDisplayed":false,"reportsDismissal":true,"desktopCategory":"im.received",
            "appName":"Mail","isPersistent":true,"privacy":"contentHidden",
            "hints":{"x":1,"y":{"byte":2},"z":"t"},"userInfo":{"k":[1,null]},"misfire":{"deliverLate":{"within":"1h"}},
            "endsWhenAnswered":true,"dismissalEnds":true,"languages":["de"],
            "actions":[{"id":"ok","title":{"en":"Fine","de":"Gut"},"icon":"go","reply":"Say","purpose":"hangUp"}],
            "trigger":{"in":"1h"}
            """#
        )
        let entry = try #require(try Reading.schedule(text).entries.first)
        var expected = NoticeContent(title: "A", subtitle: "S", body: "B")
        expected.bodyFormat = .markup
        expected.translations = [
            "en": .init(body: "B", actions: ["ok": "Fine"]), "de": .init(body: "K", actions: ["ok": "Gut"]),
        ]
        (expected.thread, expected.category, expected.level) = ("t", "c", .critical)
        (expected.relevance, expected.progress, expected.badge) = (0.5, 1, 3)
        (expected.sound, expected.image, expected.icon) = (.silent, .named("folder"), .named("alarm-symbolic"))
        (expected.desktop.expiry, expected.desktop.isTransient, expected.desktop.isResident, expected.isDisplayed) = (
            .never, true, true, false
        )
        (expected.reportsDismissal, expected.desktop.category, expected.desktop.appName) = (true, "im.received", "Mail")
        (expected.desktop.isPersistent, expected.desktop.privacy) = (true, .contentHidden)
        expected.desktop.hints = ["x": .int(1), "y": .byte(2), "z": .string("t")]
        expected.userInfo = ["k": [1, .null]]
        expected.actions = [
            NoticeAction("ok", title: "Fine", kind: .reply(placeholder: "Say"), icon: "go", purpose: .hangUp)
        ]
        #expect(entry.content == expected)
        #expect(entry.request.misfire == .deliver(within: .seconds(3600)))
        #expect(entry.request.endsWhenAnswered && entry.request.dismissalEnds)
        #expect(entry.request.languages == ["de"])
    }

    @Test("A series has its elements, from its first or from its beginning")
    func series() throws {
        let text = Reading.native(#""series":{"first":"2026-03-02 09:00","spacing":"5m","count":3}"#)
        #expect(
            try Reading.dates(text, from: "2026-03-01")
                == ["2026-03-02 09:00", "2026-03-02 09:05", "2026-03-02 09:10"]
        )
        let requests = try Reading.schedule(text).entries[0].requests(beginningAt: Reading.date("2026-03-01"))
        #expect(requests.map(\.series) == ["a", "a", "a"])
        let open = #"{"version":1,"notices":[{"title":"M","series":{"base":"m","spacing":1,"count":2}}]}"#
        let entry = try #require(try Reading.schedule(open).entries.first)
        #expect(entry.id == "m")
        #expect(
            try Reading.dates(open, from: "2026-03-01 12:00") == ["2026-03-01 12:00", "2026-03-01 12:00:01"]
        )
    }

    @Test("Several errors are told at once, in the order of the file, each with its path and place")
    func severalErrors() throws {
        let text = """
            { "version": 1,
              "notices": [
                { "id": "a", "tittle": "A", "title": "A", "trigger": { "at": "tomorrow" } },
                { "id": "b", "title": "B", "trigger": { "every": 5 } },
                { "id": "b", "title": 3, "trigger": { "in": "1h", "at": "2026-01-01" } } ] }
            """
        let error = #expect(throws: ScheduleError.self) { try Reading.schedule(text) }
        let lines = try #require(error).lines
        try #require(lines.count == 5, "\(lines)")
        #expect(
            lines[0] == "schedule.json: notices[0].tittle: is not known here; did you mean 'title'? (line 3, column 18)"
        )
        #expect(lines[1].hasPrefix("schedule.json: notices[0].trigger.at: the date 'tomorrow' can't be read"))
        #expect(
            lines[2] == "schedule.json: notices[1].trigger.every: must be at least 60 s, found 5 (line 4, column 54)"
        )
        #expect(
            lines[3].hasPrefix("schedule.json: notices[2].title: must be a text or an object of translations, found 3")
        )
        #expect(
            lines[4].hasPrefix("schedule.json: notices[2].trigger: has 'in' and 'at', and a notice has one of them")
        )
    }

    @Test(
        "What does not go together, or can't be, is an error at its path that says what to write",
        arguments: [
            (#""in":0"#, "notices[0].trigger.in: must be longer than 0 s, found 0"),
            (#""every":"59s""#, "notices[0].trigger.every: must be at least 60 s, found 59s"),
            (#""cron":"61 * * * *""#, "notices[0].trigger.cron: "), (#""on":"Someday""#, "notices[0].trigger.on: "),
            (#""rrule":"FREQ=NEVER","start":"2026-01-01""#, "notices[0].trigger.rrule: "),
            (#""match":{"hour":25}"#, "notices[0].trigger: "),
            (#""match":{"hours":2}"#, "notices[0].trigger.match.hours: is not known here; did you mean 'hour'?"),
            (
                #""match":{"hour":2},"times":3"#,
                "notices[0].trigger.times: belongs to what repeats; write \"repeats\": true"
            ),
            (#""match":[]"#, "notices[0].trigger.match: "),
            (#""match":{"hour":1.5}"#, "notices[0].trigger.match.hour: must be"),
            (#""in":"1h","repeats":true"#, "notices[0].trigger.repeats: does not go with 'in'"),
            (
                #""on":"09:00","repeats":false"#,
                "notices[0].trigger.repeats: is false, and 'on' repeats; for one firing"
            ),
            (
                #""on":"09:00","start":"2026-01-01""#,
                "notices[0].trigger.start: does not go with 'on'; write \"starting\""
            ),
            (
                #""cron":"0 9 * * *","starting":"2026-02-01","until":"2026-01-01""#,
                "notices[0].trigger.until: is before 'starting'"
            ),
            (#""near":{"latitude":1,"longitude":2}"#, "notices[0].trigger.near.radius: is missing"),
            (#""near":{"latitude":91,"longitude":2,"radius":9}"#, "notices[0].trigger: A latitude of 91.0°"),
            (#""near":{"latitude":1,"longitude":2,"radius":9},"during":"never""#, "notices[0].trigger.during: "),
            (#""at":"2026-01-01","zone":"Europe/Atlantis""#, "notices[0].trigger.zone: "),
            (#""at":"2026-01-01 09:00","edge":"exit""#, "notices[0].trigger.edge: does not go with 'at'"),
            ("", "notices[0].trigger: has no kind; write one of in, at, every"),
        ]
    )
    func wrongTriggers(text: String, expected: String) {
        let errors = Reading.errors(Reading.native(trigger: text))
        #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(errors)")
    }

    @Test(
        "So it is with the rest of the file",
        arguments: [
            (#"{"notices":[]}"#, "version: is missing; write \"version\": 1"),
            (#"{"version":2,"notices":[]}"#, "version: must be 1, found 2"),
            (#"{"version":1}"#, "notices: is missing"), (#"{"version":1,"notices":{}}"#, "notices: must be a list"),
            (#"{"version":1,"notices":[3]}"#, "notices[0]: must be an object, found 3"),
            (#"{"version":1,"zone":"Nowhere","notices":[]}"#, "zone: "),
            (#"{"version":1,"notices":[{"id":"a","title":"A"}]}"#, "notices[0].trigger: is missing"),
            (#"{"version":1,"notices":[{"title":"A","trigger":{"in":1}}]}"#, "notices[0].id: is missing"),
            (#"{"version":1,"notices":[{"id":"a","trigger":{"in":1}}]}"#, "notices[0].title: is missing"),
            (
                #"{"version":1,"notices":[{"id":"","title":"A","trigger":{"in":1}}]}"#,
                "notices[0].id: must be an identifier"
            ),
            (Reading.native(#""level":"loud","trigger":{"in":1}"#), "notices[0].level: must be one of passive, active"),
            (Reading.native(#""relevance":2,"trigger":{"in":1}"#), "notices[0].relevance: must be 0 to 1"),
            (Reading.native(#""expiry":"soon","trigger":{"in":1}"#), "notices[0].expiry: The duration 'soon'"),
            (
                Reading.native(#""privacy":"secret","trigger":{"in":1}"#),
                "notices[0].privacy: must be one of visible, contentHidden, hidden"
            ),
            (
                Reading.native(#""actions":[{"id":"x","title":"X","purpose":"call"}],"trigger":{"in":1}"#),
                "notices[0].actions[0].purpose: must be one of acceptCall"
            ),
            (Reading.native(#""misfire":"late","trigger":{"in":1}"#), "notices[0].misfire: must be 'skip'"),
            (Reading.native(#""image":"./none.png","trigger":{"in":1}"#), "notices[0]: The image"),
            (Reading.native(#""actions":[{"id":"x"}],"trigger":{"in":1}"#), "notices[0].actions[0].title: is missing"),
            (Reading.native(#""body":{},"trigger":{"in":1}"#), "notices[0].body: has no translation"),
            (
                Reading.native(#""body":{"en":1},"trigger":{"in":1}"#),
                "notices[0].body.en: must be a text in that language"
            ),
            (
                Reading.native(#""series":{"spacing":"0s","count":1}"#),
                "notices[0].series.spacing: must be at least 1 s"
            ),
            (
                Reading.native(#""series":{"spacing":"1s","count":0}"#),
                "notices[0].series.count: must be a whole number, 1 to"
            ),
            (
                Reading.native(#""series":{"spacing":"1s","count":2},"trigger":{"in":1}"#),
                "notices[0].series: and a trigger exclude each other"
            ),
            ("3", ": must be an object with \"version\": 1"),
        ]
    )
    func wrongFiles(text: String, expected: String) {
        let errors = Reading.errors(text)
        #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(errors)")
    }

    @Test("A file that is not there is an error that names it")
    func missingFile() throws {
        let error = #expect(throws: ScheduleError.self) { try NoticeSchedule(contentsOf: "/nonexistent/s.json") }
        #expect(
            error?.description == "/nonexistent/s.json: the file is not there; name a schedule file that you may read"
        )
        #expect(error?.diagnostics.first?.code == .fileUnreadable)
    }

    @Test("Relative pictures are named from the file's folder")
    func relativePaths() throws {
        let folder = NSTemporaryDirectory() + "belfry-schedule-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder + "/art", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(fileURLWithPath: folder + "/art/x.png"))
        let text = Reading.native(#""image":"art/x.png","attachments":["./art/x.png"],"trigger":{"in":1}"#)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/s.json"))
        let content = try NoticeSchedule(contentsOf: folder + "/s.json").entries[0].content
        #expect(content.image == .file(folder + "/art/x.png"))
        #expect(content.attachments.map(\.path) == [folder + "/art/x.png"])
    }
}
