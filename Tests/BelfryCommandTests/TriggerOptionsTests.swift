import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Triggers on the command line", .takesTurns)
struct TriggerOptionsTests {
    private func trigger(_ arguments: String...) throws -> (any NoticeTrigger)? {
        try TriggerOptions.parse(arguments).trigger()
    }

    @Test("Each option makes its kind of trigger")
    func kinds() throws {
        #expect(try trigger() == nil)
        #expect(try trigger("--in", "5m") as? IntervalTrigger == IntervalTrigger(after: .seconds(300)))
        #expect(try trigger("--at", "@60") as? DateTrigger == DateTrigger(date: Date(timeIntervalSince1970: 60)))
        #expect(
            try trigger("--every", "1h", "--times", "3") as? IntervalTrigger
                == IntervalTrigger(every: .seconds(3600), count: 3)
        )
        #expect(
            try trigger("--match", "month=5,day=10,hour=8", "--repeat", "--zone", "Europe/Berlin") as? CalendarTrigger
                == CalendarTrigger(
                    matching: DateFields(month: 5, day: 10, hour: 8),
                    repeats: true,
                    options: .init(zone: .named("Europe/Berlin"))
                )
        )
        #expect(
            try trigger("--near", "48.137, 11.575, 150", "--edge", "exit", "--repeat") as? LocationTrigger
                == LocationTrigger(
                    region: CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150),
                    edge: .exit,
                    repeats: true
                )
        )
        var stay = LocationTrigger(region: CircularRegion(latitude: -1, longitude: 2, radius: 3))
        stay.dwell = .seconds(600)
        stay.during = "Mon..Fri 08..18:*"
        let given = try trigger("--near", "-1,2,3", "--dwell", "10m", "--during", "Mon..Fri 08..18:*")
        #expect(given as? LocationTrigger == stay)
    }

    @Test("Rules in the notations of the trade become recurrence triggers, with their start and end")
    func rules() throws {
        #expect(
            try trigger("--cron", "25 9 * * 1-5", "--zone", "Europe/Berlin") as? RecurrenceTrigger
                == RecurrenceTrigger(.cron("25 9 * * 1-5"), zone: .named("Europe/Berlin"))
        )
        #expect(
            try trigger("--on", "daily", "--times", "3") as? RecurrenceTrigger
                == RecurrenceTrigger(.onCalendar("daily"), count: 3)
        )
        #expect(
            try trigger("--rrule", "FREQ=WEEKLY", "--start", "@0", "--zone", "Europe/Berlin") as? RecurrenceTrigger
                == RecurrenceTrigger(
                    .rrule("FREQ=WEEKLY"),
                    zone: .named("Europe/Berlin"),
                    starting: Date(timeIntervalSince1970: 0)
                )
        )
    }

    @Test("A rule that floats has the time of day of its start in every zone, unless it has a DTSTART of its own")
    func floatingStart() throws {
        let daily = try #require(try trigger("--rrule", "FREQ=DAILY", "--start", "2026-01-05 09:00"))
        #expect((daily as? RecurrenceTrigger)?.followsSystemZone == true)
        for name in ["Europe/Berlin", "America/New_York", "Asia/Tokyo"] {
            let zone = try ZoneRules.named(name)
            let first = try #require(daily.nextTriggerDate(after: Date(timeIntervalSince1970: 0), in: zone))
            let seconds = Int64(first.timeIntervalSince1970)
            #expect(seconds + Int64(zone.offset(at: seconds)) == 1_767_603_600, "9:00 on 5 January 2026 in \(name)")
        }
        let text = "DTSTART:20260105T100000Z\nRRULE:FREQ=DAILY"
        let own = try trigger("--rrule", text, "--start", "2026-01-05 09:00") as? RecurrenceTrigger
        #expect(own?.rule == .rrule(text) && own?.starting != nil)
    }

    @Test("A start that a clock change skips moves the first date alone")
    func skippedStart() throws {
        let daily = try #require(
            try trigger("--rrule", "FREQ=DAILY", "--start", "2027-03-28 02:30", "--zone", "Europe/Berlin")
        )
        let dates = daily.previewOccurrences(3, after: Date(timeIntervalSince1970: 0), in: .utc)
        let expected = try ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z", "2027-03-30T00:30:00Z"]
            .map { try Date($0, strategy: .iso8601) }
        #expect(dates == expected)
    }

    @Test("Policies and week rules travel with a calendar trigger")
    func policies() throws {
        let made = try trigger(
            "--match",
            "day=31",
            "--missing-date",
            "lastDayOfMonth",
            "--missing-time",
            "skip",
            "--repeated-time",
            "last",
            "--first-weekday",
            "2",
            "--minimum-days-in-first-week",
            "4"
        )
        let calendar = try #require(made as? CalendarTrigger)
        #expect(
            calendar.options.policies
                == DatePolicies(missingDate: .lastDayOfMonth, missingTime: .skip, repeatedTime: .last)
        )
        #expect(calendar.options.weeks == .iso8601)
    }

    @Test(
        "An option of another kind of trigger is refused, with the kinds that it goes with",
        arguments: [
            (["--repeat"], "--repeat", "--match"), (["--edge", "exit"], "--edge", "--near"),
            (["--during", "08..18:*"], "--during", "--near"), (["--dwell", "10m"], "--dwell", "--near"),
            (["--missing-date", "skip"], "--missing-date", "--match"),
            (["--missing-time", "skip"], "--missing-time", "--match"),
            (["--repeated-time", "last"], "--repeated-time", "--match"),
            (["--first-weekday", "2"], "--first-weekday", "--match"),
            (["--minimum-days-in-first-week", "4"], "--minimum-days-in-first-week", "--match"),
        ]
    )
    func companions(option: [String], name: String, kind: String) throws {
        let others = [
            [], ["--in", "5m"], ["--at", "@60"], ["--every", "1h"], ["--on", "daily"], ["--cron", "25 9 * * 1-5"],
            ["--rrule", "FREQ=DAILY", "--start", "@0"], ["--near", "1,2,3"], ["--match", "hour=8"],
        ]
        for trigger in others {
            let options = try TriggerOptions.parse(trigger + option)
            if trigger.first == kind || (trigger.first == "--near" && name == "--repeat") {
                #expect(try options.trigger() != nil)
            } else {
                let failure = #expect(throws: NoticeError.self, "\(trigger + option)") { try options.trigger() }
                #expect(failure?.status == .usage)
                #expect(failure?.message.contains("\(name) belongs to \(kind)") == true, "\(failure?.message ?? "")")
            }
        }
    }

    @Test(
        "The first date and the number of firings are refused where nothing repeats",
        arguments: [
            (["--in", "5m"], ["--start", "@0"]), (["--every", "1h"], ["--start", "@0"]),
            (["--match", "hour=8"], ["--start", "@0"]), (["--near", "1,2,3"], ["--start", "@0"]),
            (["--in", "5m"], ["--times", "2"]), (["--at", "@60"], ["--times", "2"]),
            (["--match", "hour=8"], ["--times", "2"]), (["--near", "1,2,3", "--repeat"], ["--times", "2"]),
        ]
    )
    func bounds(trigger: [String], option: [String]) throws {
        let options = try TriggerOptions.parse(trigger + option)
        let failure = #expect(throws: NoticeError.self) { try options.trigger() }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("\(option[0]) belongs to ") == true)
        #expect(failure?.message.contains("--rrule") == true)
    }

    @Test("The zone of local dates is the one that is given")
    func zone() throws {
        let made = try trigger("--at", "2026-12-24 18:00", "--zone", "Asia/Kathmandu")
        #expect(made as? DateTrigger == DateTrigger(date: Date(timeIntervalSince1970: 1_798_114_500)))
    }

    @Test(
        "What can't be is refused with the engine's own code",
        arguments: [
            (["--match", "hour=24"], "invalidComponent"), (["--every", "59s"], "intervalTooShort"),
            (["--in", "0s"], "invalidInterval"),
            (["--match", "month=4,day=31", "--missing-date", "skip"], "neverFires"),
            (["--near", "91,0,10"], "invalidRegion"),
            (["--match", "hour=8", "--zone", "Mars/Olympus"], "unknownZone"),
            (["--match", "hour=8", "--first-weekday", "9"], "invalidComponent"),
        ]
    )
    func impossible(arguments: [String], code: String) throws {
        let options = try TriggerOptions.parse(arguments)
        let failure = #expect(throws: NoticeError.self) { try options.trigger() }
        #expect(failure?.code.rawValue == code)
        // A date that never comes is well written: the calendar lacks it.
        #expect(failure?.status == (code == "neverFires" ? .failed : .usage))
    }
}
