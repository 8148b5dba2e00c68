import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("RRULE is RFC 5545", .takesTurns)
struct RRuleTests {
    private func dates(_ text: String, in zone: String = "America/New_York", count: Int = 5) throws -> [String] {
        let local = try Local(zone)
        let pattern = try RRule(parsing: text).compiled(zone: local.zone)
        let clock = Local(zone: pattern.zone)
        return pattern.dates(after: .min).prefix(count).map(clock.text)
    }

    @Test("DTSTART has its zone, or is at UTC, or local, or a date")
    func start() throws {
        #expect(
            try dates("DTSTART;TZID=Europe/Berlin:20260328T090000\nRRULE:FREQ=DAILY;COUNT=2")
                == ["2026-03-28 09:00+01:00", "2026-03-29 09:00+02:00"]
        )
        #expect(try dates("DTSTART:20260328T090000Z\nRRULE:FREQ=DAILY;COUNT=1") == ["2026-03-28 09:00+00:00"])
        #expect(try dates("DTSTART:20260328T090000\nRRULE:FREQ=DAILY;COUNT=1") == ["2026-03-28 09:00-04:00"])
        #expect(try dates("DTSTART;VALUE=DATE:20260328\nRRULE:FREQ=DAILY;COUNT=1") == ["2026-03-28 00:00-04:00"])
    }

    @Test("EXDATE removes and RDATE adds dates, in any zone, and each instant fires once")
    func exceptionsAndAdditions() throws {
        #expect(
            try dates(
                """
                DTSTART;TZID=America/New_York:20260105T090000
                RRULE:FREQ=WEEKLY;COUNT=4
                EXDATE:20260112T140000Z
                RDATE;TZID=America/New_York:20260107T120000,20260119T090000
                """
            ) == [
                "2026-01-05 09:00-05:00", "2026-01-07 12:00-05:00", "2026-01-19 09:00-05:00", "2026-01-26 09:00-05:00",
            ]
        )
        #expect(
            try dates("DTSTART:20260105T090000Z\nRRULE:FREQ=HOURLY\nEXDATE;VALUE=DATE:20260105,20260106", count: 1)
                == ["2026-01-07 00:00+00:00"]
        )
    }

    @Test("The start is a date without a rule, and with one only where the rule has it")
    func startItself() throws {
        #expect(
            try dates("DTSTART:20260101T090000Z\nRDATE:20260103T090000Z")
                == ["2026-01-01 09:00+00:00", "2026-01-03 09:00+00:00"]
        )
        #expect(
            try dates("DTSTART:20260101T090000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR;COUNT=2")
                == ["2026-02-13 09:00+00:00", "2026-03-13 09:00+00:00"]
        )
    }

    @Test("UNTIL is inclusive, at UTC, local or a whole day, and COUNT counts exceptions")
    func ends() throws {
        let start = "DTSTART;TZID=America/New_York:20260301T090000\n"
        for until in ["20260303T140000Z", "20260303T090000", "20260303"] {
            #expect(try dates(start + "RRULE:FREQ=DAILY;UNTIL=\(until)").count == 3, "\(until)")
        }
        #expect(try dates(start + "RRULE:FREQ=DAILY;UNTIL=20260303T135959Z").count == 2)
        #expect(try dates(start + "RRULE:FREQ=DAILY;COUNT=3\nEXDATE;TZID=America/New_York:20260302T090000").count == 2)
        #expect(try dates(start + "RRULE:FREQ=DAILY;UNTIL=20250101").isEmpty)
    }

    @Test("WKST decides which weeks count")
    func weekStart() throws {
        let start = "DTSTART:19970805T090000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST="
        #expect(
            try dates(start + "MO").map { $0.prefix(10) } == ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]
        )
        #expect(
            try dates(start + "SU").map { $0.prefix(10) } == ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]
        )
    }

    @Test("An invalid date is skipped, unless the rule says BACKWARD or FORWARD")
    func skip() throws {
        let start = "DTSTART:20260131T090000Z\nRRULE:FREQ=MONTHLY;COUNT=4"
        func days(_ rule: String) throws -> [String] { try dates(rule).map { String($0.prefix(10)) } }
        #expect(try days(start) == ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"])
        #expect(
            try days(start + ";RSCALE=GREGORIAN;SKIP=BACKWARD") == [
                "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30",
            ]
        )
        #expect(
            try days(start + ";RSCALE=GREGORIAN;SKIP=FORWARD") == [
                "2026-01-31", "2026-03-01", "2026-03-31", "2026-05-01",
            ]
        )
        // Every other month: those that are left out don't fall on the next one either.
        #expect(
            try days("DTSTART:20251231T090000Z\nRRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=4;SKIP=FORWARD")
                == ["2025-12-31", "2026-03-01", "2026-05-01", "2026-07-01"]
        )
        #expect(
            try days("DTSTART:20240229T090000Z\nRRULE:FREQ=YEARLY;COUNT=3;SKIP=FORWARD")
                == ["2024-02-29", "2025-03-01", "2026-03-01"]
        )
    }

    @Test("A date in place of a missing day keeps its turn among those of the next month")
    func skipWithPositions() throws {
        let rule =
            "DTSTART:20260201T080000Z\nRRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=1,30;BYHOUR=8,18;BYSETPOS=1,-1;"
        // February's last date is on 1 March, after March's first one.
        #expect(
            try dates(rule + "SKIP=FORWARD", count: 6) == [
                "2026-02-01 08:00+00:00", "2026-03-01 08:00+00:00", "2026-03-01 18:00+00:00",
                "2026-03-30 18:00+00:00", "2026-04-01 08:00+00:00", "2026-04-30 18:00+00:00",
            ]
        )
        // Every other month: March has no date of its own.
        #expect(
            try dates(rule + "INTERVAL=2;SKIP=FORWARD", count: 4) == [
                "2026-02-01 08:00+00:00", "2026-03-01 18:00+00:00", "2026-04-01 08:00+00:00",
                "2026-04-30 18:00+00:00",
            ]
        )
    }

    @Test("A skipped local time shifts forward, one that occurs twice is the first")
    func clockChanges() throws {
        #expect(
            try dates("DTSTART;TZID=America/New_York:20260307T023000\nRRULE:FREQ=DAILY;COUNT=3")
                == ["2026-03-07 02:30-05:00", "2026-03-08 03:30-04:00", "2026-03-09 02:30-04:00"]
        )
        #expect(
            try dates("DTSTART;TZID=America/New_York:20261031T013000\nRRULE:FREQ=DAILY;COUNT=3")
                == ["2026-10-31 01:30-04:00", "2026-11-01 01:30-04:00", "2026-11-02 01:30-05:00"]
        )
    }

    @Test("A start in the second pass of a repeated hour is a date, and later ones come once")
    func secondPass() throws {
        let local = try Local("America/New_York")
        let start = local.instant("2026-11-01 01:30-05:00")
        for (rule, expected) in [
            ("FREQ=DAILY;COUNT=2", ["2026-11-01 01:30-05:00", "2026-11-02 01:30-05:00"]),
            ("FREQ=DAILY;BYHOUR=1,4;BYSETPOS=1;COUNT=2", ["2026-11-01 01:30-05:00", "2026-11-02 01:30-05:00"]),
            // The start itself is none of these dates.
            ("FREQ=DAILY;BYMINUTE=45;COUNT=1", ["2026-11-02 01:45-05:00"]),
        ] {
            let pattern = try RRule(parsing: rule).compiled(start: start, zone: local.zone)
            #expect(pattern.dates(after: .min).prefix(3).map(local.text) == expected, "\(rule)")
        }
    }

    @Test("Hours and minutes are counted as they pass, also across a clock change")
    func elapsed() throws {
        #expect(
            try dates("DTSTART;TZID=America/New_York:20261101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=4")
                == [
                    "2026-11-01 00:00-04:00", "2026-11-01 01:30-04:00", "2026-11-01 02:00-05:00",
                    "2026-11-01 03:30-05:00",
                ]
        )
    }

    @Test(
        "The normal form is upper case, sorted, without defaults, and reads as the same rule",
        arguments: [
            ("rrule:freq=weekly;byday=fr,mo;interval=1;wkst=mo", "FREQ=WEEKLY;BYDAY=MO,FR"),
            ("FREQ=MONTHLY;BYDAY=-1FR,+1MO;BYSETPOS=2,-1;", "FREQ=MONTHLY;BYDAY=-1FR,1MO;BYSETPOS=-1,2"),
            ("FREQ=YEARLY;UNTIL=20300101;SKIP=FORWARD", "RSCALE=GREGORIAN;FREQ=YEARLY;UNTIL=20300101;SKIP=FORWARD"),
            ("FREQ=DAILY;BYSECOND=60,0,0;COUNT=007", "FREQ=DAILY;COUNT=7;BYSECOND=0,59"),
            (
                "RRULE:FREQ=DAILY\r\nDTSTART;TZID=Europe/Berlin:2026\r\n 0105T090000\r\nEXDATE;VALUE=DATE:20260107",
                "DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260107"
            ),
        ]
    )
    func normalForm(text: String, normal: String) throws {
        let rule = try RRule(parsing: text)
        #expect(rule.description == normal)
        #expect(try RRule(parsing: normal) == rule)
        let decoded = try JSONDecoder().decode(RRule.self, from: JSONEncoder().encode(rule))
        #expect(decoded == rule)
    }

    @Test(
        "What breaks the grammar is refused with its column",
        arguments: [
            ("", 1), ("INTERVAL=2", 1), ("FREQ=SOMETIMES", 6), ("FREQ=DAILY;INTERVAL=0", 21),
            ("FREQ=DAILY;COUNT=0", 18),
            ("FREQ=DAILY;COUNT=1;UNTIL=20300101", 20), ("FREQ=DAILY;FREQ=DAILY", 12), ("FREQ=DAILY;BYHOUR=24", 19),
            ("FREQ=WEEKLY;BYMONTHDAY=1", 13), ("FREQ=DAILY;BYYEARDAY=1", 12), ("FREQ=MONTHLY;BYWEEKNO=1", 14),
            ("FREQ=WEEKLY;BYDAY=1MO", 13), ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", 24), ("FREQ=DAILY;BYSETPOS=1", 12),
            ("FREQ=DAILY;BYMONTHDAY=0", 23), ("FREQ=DAILY;UNTIL=20261301", 18), ("FREQ=DAILY;UNTIL=2026", 18),
            ("FREQ=DAILY;BYDAY=XX", 18), ("FREQ=DAILY,COUNT=2", 11), ("FREQ=DAILY;BYMONTH=", 20),
            ("FREQ=DAILY;X=1", 12),
            ("FREQ=DAILY;INTERVAL=99999999999999999999", 21), ("RRULE:FREQ=DAILY;RSCALE=HEBREW", 25),
            ("EXRULE:FREQ=DAILY", 1),
        ]
    )
    func refused(text: String, column: Int) {
        let error = #expect(throws: RecurrenceError.self) { try RRule(parsing: text) }
        #expect(error?.code == .invalidNotation)
        #expect(error?.column == column, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("rrule: ") == true)
    }

    @Test("A rule without a start, and a zone that no one knows, are errors")
    func incomplete() throws {
        #expect(throws: RecurrenceError.self) { try RRule(parsing: "FREQ=DAILY").compiled(zone: .utc) }
        let error = #expect(throws: RecurrenceError.self) {
            try RRule(parsing: "DTSTART;TZID=Mars/Base:20260101T000000\nRRULE:FREQ=DAILY").compiled(zone: .utc)
        }
        #expect(error?.code == .unknownZone)
    }

    @Test(
        "A COUNT that takes too long to look up is refused",
        arguments: [
            "FREQ=SECONDLY;INTERVAL=3601;BYMINUTE=0;BYSECOND=0;COUNT=19000",
            "FREQ=HOURLY;BYMINUTE=\(RRuleTests.sixty);BYSECOND=\(RRuleTests.sixty);BYSETPOS=-1;COUNT=30000",
        ]
    )
    func slowCount(text: String) {
        let error = #expect(throws: RecurrenceError.self) { try RRule(parsing: text).compiled(start: 0, zone: .utc) }
        #expect(error?.code == .limitExceeded)
    }

    private static let sixty = (0..<60).map(String.init).joined(separator: ",")

    @Test("A rule that has its first date after centuries has one")
    func rarest() throws {
        // One second earlier each day, from 8:59:55 to 8:59:56.
        let rule = "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=8;BYMINUTE=59;BYSECOND=56"
        let start = try Local("UTC").instant("2026-01-01 08:59:55")
        let pattern = try RRule(parsing: rule).compiled(start: start, zone: .utc)
        #expect(pattern.next(after: start) == start + 86_399 * 86_399)
    }

    @Test(
        "Rules that never or hardly ever fire answer at once",
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=5",
            "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
            "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=7", "FREQ=YEARLY;BYDAY=MO;BYSETPOS=366", "FREQ=MONTHLY;BYDAY=20MO",
            "FREQ=SECONDLY;INTERVAL=60;BYSECOND=7", "FREQ=SECONDLY;BYSETPOS=5;BYMONTH=2",
            "FREQ=DAILY;COUNT=1000000000000000000",
            "FREQ=HOURLY;INTERVAL=999999999999999999;BYHOUR=3", "FREQ=YEARLY;INTERVAL=999999999999999999",
            "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=7", "FREQ=YEARLY;BYYEARDAY=366;INTERVAL=5",
            "FREQ=WEEKLY;COUNT=100000000000",
        ]
    )
    func bounded(text: String) throws {
        let time = try processorTime {
            let pattern = try RRule(parsing: text).compiled(start: 1_767_258_061, zone: .utc)
            var last: Int64 = 0
            for _ in 0..<3 {
                guard let next = pattern.next(after: last) else { break }
                #expect(next > last)
                last = next
            }
        }
        // The bound is 50 ms; a debug build on a slow machine is given more. Some would never end without it.
        #expect(time < .seconds(10), "\(time)")
    }
}
