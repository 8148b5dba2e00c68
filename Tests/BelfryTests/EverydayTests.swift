import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfrySchedules
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Everyday recurrences fire at the dates that they name", .takesTurns)
struct EverydayTests {
    private static func date(_ text: String) -> Date {
        (try? Date(text, strategy: .iso8601)) ?? .distantPast
    }

    private func dates(_ trigger: some NoticeTrigger, after start: String, _ count: Int) -> [String] {
        trigger.previewOccurrences(count, after: Self.date(start), in: .utc).map { $0.formatted(.iso8601) }
    }

    @Test("Days and weekdays keep the time of day across a clock change, and move what it skips")
    func clockChange() {
        let berlin = ZoneReference.named("Europe/Berlin")
        #expect(
            dates(.daily(at: "2:30", zone: berlin), after: "2026-03-28T00:00:00Z", 3)
                == ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]
        )
        #expect(
            dates(.weekdays(at: "9:25", zone: berlin), after: "2026-03-27T00:00:00Z", 3)
                == ["2026-03-27T08:25:00Z", "2026-03-30T07:25:00Z", "2026-03-31T07:25:00Z"]
        )
    }

    @Test("Every third day begins on a day that the zone has: Apia had no 30th of December 2011")
    func skippedDay() throws {
        let apia = ZoneReference.named("Pacific/Apia")
        // Midnight of the 31st, right after the 29th.
        let start = Self.date("2011-12-30T10:00:00Z")
        let trigger = try RecurrenceTrigger.every(3, .days, at: "9:00", zone: apia, starting: start)
        #expect(
            dates(trigger, after: "2011-12-30T10:00:00Z", 3)
                == ["2011-12-30T19:00:00Z", "2012-01-02T19:00:00Z", "2012-01-05T19:00:00Z"]
        )
    }

    @Test("Weeks: one day of them, and several") func weekly() {
        #expect(
            dates(.weekly(on: .tuesday, at: "19:30"), after: "2026-01-01T00:00:00Z", 2)
                == ["2026-01-06T19:30:00Z", "2026-01-13T19:30:00Z"]
        )
        #expect(
            dates(.weekly(on: [.sunday, .monday], at: "8:00:05"), after: "2026-01-01T00:00:00Z", 3)
                == ["2026-01-04T08:00:05Z", "2026-01-05T08:00:05Z", "2026-01-11T08:00:05Z"]
        )
    }

    @Test(
        "Months: a day that some lack, the last day, the last and the fifth of a weekday",
        arguments: [
            (.monthly(on: 31, at: "9:00"), ["2026-01-31", "2026-03-01", "2026-03-31", "2026-05-01"]),
            (
                .monthly(on: 31, at: "9:00", missingDate: .lastDayOfMonth),
                ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]
            ),
            (.monthly(on: 31, at: "9:00", missingDate: .skip), ["2026-01-31", "2026-03-31", "2026-05-31"]),
            (.monthly(on: .lastDay, at: "9:00"), ["2026-01-31", "2026-02-28", "2026-03-31"]),
            (.monthly(on: .last(.friday), at: "9:00"), ["2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"]),
            (.monthly(on: .fifth(.thursday), at: "9:00"), ["2026-01-29", "2026-04-30", "2026-07-30"]),
        ] as [(CalendarTrigger, [String])]
    )
    func monthly(trigger: CalendarTrigger, days: [String]) {
        #expect(dates(trigger, after: "2026-01-01T00:00:00Z", days.count) == days.map { "\($0)T09:00:00Z" })
    }

    @Test(
        "Years: 29 February in those that lack it, and a weekday of a month",
        arguments: [
            (.yearly(on: .february(29), at: "8:00"), ["2026-03-01", "2027-03-01", "2028-02-29", "2029-03-01"]),
            (.yearly(on: .february(29), at: "8:00", missingDate: .skip), ["2028-02-29", "2032-02-29"]),
            (.yearly(on: .november(.fourth(.thursday)), at: "8:00"), ["2026-11-26", "2027-11-25"]),
            (.yearly(on: .february(.lastDay), at: "8:00"), ["2026-02-28", "2027-02-28", "2028-02-29"]),
        ] as [(CalendarTrigger, [String])]
    )
    func yearly(trigger: CalendarTrigger, days: [String]) {
        #expect(dates(trigger, after: "2026-01-01T00:00:00Z", days.count) == days.map { "\($0)T08:00:00Z" })
    }

    @Test(
        "Every so many days, weeks, months, years: from the first such time that isn't before the start",
        arguments: [
            (3, .days, "2026-03-24T13:37:00Z", ["2026-03-25T08:00", "2026-03-28T08:00", "2026-03-31T07:00"]),
            (3, .days, "2026-03-24T08:00:00Z", ["2026-03-24T08:00", "2026-03-27T08:00", "2026-03-30T07:00"]),
            (3, .days, "2026-03-24T08:00:00.5Z", ["2026-03-25T08:00", "2026-03-28T08:00"]),
            (2, .weeks, "2026-01-05T23:30:00Z", ["2026-01-06T08:00", "2026-01-20T08:00", "2026-02-03T08:00"]),
            (1, .months, "2026-01-31T00:00:00Z", ["2026-01-31T08:00", "2026-03-01T08:00", "2026-03-31T07:00"]),
            (2, .months, "2026-01-15T12:00:00Z", ["2026-01-16T08:00", "2026-03-16T08:00", "2026-05-16T07:00"]),
            (4, .years, "2024-02-29T00:00:00Z", ["2024-02-29T08:00", "2028-02-29T08:00"]),
            (1, .years, "2024-02-29T00:00:00Z", ["2024-02-29T08:00", "2025-03-01T08:00", "2026-03-01T08:00"]),
        ] as [(Int, RecurrenceTrigger.Unit, String, [String])]
    )
    func every(count: Int, unit: RecurrenceTrigger.Unit, start: String, expected: [String]) throws {
        let starting =
            start.contains(".") ? Self.date("2026-03-24T08:00:00Z").addingTimeInterval(0.5) : Self.date(start)
        let trigger = try RecurrenceTrigger.every(
            count,
            unit,
            at: "9:00",
            zone: .named("Europe/Berlin"),
            starting: starting
        )
        #expect(dates(trigger, after: "2020-01-01T00:00:00Z", expected.count) == expected.map { "\($0):00Z" })
    }

    @Test("Every month on a day that it lacks: the other policies") func everyMissing() throws {
        func days(_ policy: MissingDatePolicy) throws -> [String] {
            let start = Self.date("2026-01-31T00:00:00Z")
            let trigger = try RecurrenceTrigger.every(
                1,
                .months,
                at: "9:00",
                zone: .named("UTC"),
                starting: start,
                missingDate: policy
            )
            return dates(trigger, after: "2020-01-01T00:00:00Z", 3).map { String($0.prefix(10)) }
        }
        #expect(try days(.skip) == ["2026-01-31", "2026-03-31", "2026-05-31"])
        #expect(try days(.lastDayOfMonth) == ["2026-01-31", "2026-02-28", "2026-03-31"])
    }

    @Test("A start in the second pass of a repeated hour has the first pass behind it") func secondPass() throws {
        let start = Self.date("2026-10-25T01:15:00Z")
        let berlin = ZoneReference.named("Europe/Berlin")
        let trigger = try RecurrenceTrigger.every(3, .days, at: "2:30", zone: berlin, starting: start)
        #expect(
            dates(trigger, after: "2026-01-01T00:00:00Z", 2) == ["2026-10-26T01:30:00Z", "2026-10-29T01:30:00Z"]
        )
    }

    @Test("Without a zone they float: the days of another zone, at its time of day") func floating() throws {
        let tokyo = try ZoneRules.named("Asia/Tokyo")
        let start = Self.date("2026-01-10T12:00:00Z")
        let trigger = try RecurrenceTrigger.every(2, .days, at: "9:00", starting: start)
        let shown = trigger.previewOccurrences(3, after: Self.date("2026-01-01T00:00:00Z"), in: tokyo)
        #expect(shown.map { Int($0.timeIntervalSince1970) % 86_400 } == [0, 0, 0])
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 172_800 })
        #expect(trigger.followsSystemZone && CalendarTrigger.daily(at: "9:00").followsSystemZone)
    }

    @Test("Bounds are included, and firings are counted, also through the center") func bounds() async throws {
        let (start, end) = (Self.date("2026-01-10T09:00:00Z"), Self.date("2026-01-13T09:00:00Z"))
        let bounded = CalendarTrigger.daily(at: "9:00", zone: .named("UTC"), starting: start, until: end)
        #expect(
            dates(bounded, after: "2026-01-01T00:00:00Z", 9)
                == (10...13).map { "2026-01-\($0)T09:00:00Z" }
        )
        let every = try RecurrenceTrigger.every(
            3,
            .days,
            at: "9:00",
            zone: .named("UTC"),
            starting: start,
            until: end,
            count: 2
        )
        #expect(
            dates(every, after: "2026-01-01T00:00:00Z", 9) == ["2026-01-10T09:00:00Z", "2026-01-13T09:00:00Z"]
        )
        try await World.run { world in
            try await world.center.add(.sample("x", .weekdays(at: "9:25", count: 10)))
            try await world.center.add(.sample("y", try .every(3, .days, at: "9:00", starting: World.start, count: 2)))
            try await world.clock.advance(by: .seconds(86_400 * 30))
            #expect(world.deliveredIDs().count { $0 == "x" } == 10)
            #expect(world.deliveredIDs().count { $0 == "y" } == 2)
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test(
        "What is out of range is refused, naming it",
        arguments: [
            (.daily(at: TimeOfDay(hour: 25)), .invalidComponent, "hour 25"),
            (.daily(at: TimeOfDay(hour: 9, minute: 60)), .invalidComponent, "minute 60"),
            (.weekly(on: [], at: "9:00"), .invalidComponent, "No set"),
            (.monthly(on: 0, at: "9:00"), .invalidComponent, "day 0"),
            (.monthly(on: 32, at: "9:00"), .invalidComponent, "day 32"),
            (.monthly(on: .nth(6, .friday), at: "9:00"), .invalidComponent, "weekdayOrdinal 6"),
            (.yearly(on: CalendarTrigger.DateOfYear(month: 13, 1), at: "9:00"), .invalidComponent, "month 13"),
            (.yearly(on: .april(31), at: "9:00", missingDate: .skip), .neverFires, "31"),
            (.weekdays(at: "9:00", count: 0), .invalidComponent, "0 times"),
            (.weekdays(at: "9:00", starting: .distantFuture, until: .distantPast), .neverFires, "ends"),
            (.weekdays(at: "9:00", zone: .named("Mars/Olympus")), .unknownZone, "Mars/Olympus"),
        ] as [(CalendarTrigger, NoticeError.Code, String)]
    )
    func refused(trigger: CalendarTrigger, code: NoticeError.Code, mention: String) {
        let error = #expect(throws: NoticeError.self) { try trigger.validate() }
        #expect(error?.code == code)
        #expect(error?.message.contains(mention) == true, "\(error?.message ?? "")")
    }

    @Test("So is a count, a time or a start of every(_:_:at:), when the trigger is made") func refusedEvery() throws {
        func code(_ count: Int, at time: TimeOfDay = "9:00", starting: Double = 0, zone: String = "UTC")
            -> NoticeError.Code?
        {
            let start = Date(timeIntervalSince1970: starting)
            do throws(NoticeError) {
                _ = try RecurrenceTrigger.every(count, .days, at: time, zone: .named(zone), starting: start)
                return nil
            } catch { return error.code }
        }
        #expect(code(1) == nil)
        #expect(code(0) == .invalidComponent && code(.min) == .invalidComponent)
        #expect(
            code(1, at: TimeOfDay(hour: 24)) == .invalidComponent
                && code(1, at: TimeOfDay(hour: -1)) == .invalidComponent
        )
        for start in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(code(1, starting: start) == .invalidComponent)
        }
        #expect(code(1, zone: "Mars/Olympus") == .unknownZone)
        // More days than there are: once, or refused, but no trap.
        _ = code(.max)
        let zero = try RecurrenceTrigger.every(2, .weeks, at: "9:00", count: 0)
        #expect(throws: NoticeError.self) { try zero.validate() }
    }

    @Test("In storage they are the triggers that they are made of") func coding() throws {
        let triggers: [any NoticeTrigger] = [
            CalendarTrigger.weekdays(at: "9:25", until: .distantFuture, count: 10),
            CalendarTrigger.monthly(on: .last(.friday), at: "18:00", zone: .named("Europe/Berlin")),
            CalendarTrigger.yearly(on: .may(10), at: "8:00", starting: .distantPast),
            try RecurrenceTrigger.every(3, .days, at: "9:00"), try RecurrenceTrigger.every(1, .months, at: "9:00"),
        ]
        for trigger in triggers {
            let request = NoticeRequest(id: "x", title: "X", trigger: trigger)
            let read = try JSONDecoder().decode(NoticeRequest.self, from: JSONEncoder().encode(request))
            #expect(read == request)
            #expect(read.trigger?.sentence(in: ["en"]) == trigger.sentence(in: ["en"]))
        }
        #expect(type(of: triggers[0]).kind == "calendar" && type(of: triggers[3]).kind == "recurrence")
        let times: [TimeOfDay] = ["9:25", "0:00", "18:00:30"]
        #expect(try JSONDecoder().decode([TimeOfDay].self, from: JSONEncoder().encode(times)) == times)
        #expect(times.map(\.description) == ["9:25", "0:00", "18:00:30"])
        for text in ["", "9", "24:00", "9:5:5:5", "+9:00", "９:00", "9:", "009:00"] {
            #expect(throws: NoticeError.self, "\(text)") { try TimeOfDay(parsing: text) }
        }
    }

    @Test("A literal that is no time of day ends the program: somebody wrote it there") func literal() async {
        await #expect(processExitsWith: .failure) { _ = CalendarTrigger.daily(at: "99:00") }
        await #expect(processExitsWith: .failure) { _ = CalendarTrigger.daily(at: "nine") }
    }
}
