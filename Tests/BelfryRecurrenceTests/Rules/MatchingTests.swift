import BelfryRecurrence
import BelfryTestSupport
import Testing

@Suite("A trigger fires at every instant that equals its components", .takesTurns)
struct MatchingTests {
    let utc: Local

    init() throws {
        utc = try Local("UTC")
    }

    @Test("An hour alone is daily, on the hour")
    func hour() throws {
        #expect(
            try utc.next(2, DateFields(hour: 8), after: "2026-01-01 08:00")
                == ["2026-01-02 08:00+00:00", "2026-01-03 08:00+00:00"]
        )
    }

    @Test("A minute alone is hourly, and a second alone comes every minute")
    func minuteAndSecond() throws {
        #expect(
            try utc.next(2, DateFields(minute: 30), after: "2026-01-01 08:30")
                == ["2026-01-01 09:30+00:00", "2026-01-01 10:30+00:00"]
        )
        #expect(
            try utc.next(2, DateFields(second: 15), after: "2026-01-01 08:30")
                == ["2026-01-01 08:30:15+00:00", "2026-01-01 08:31:15+00:00"]
        )
    }

    @Test("The minute between a given hour and a given second is zero")
    func minuteBetween() throws {
        #expect(
            try utc.next(2, DateFields(hour: 8, second: 30), after: "2026-01-01 00:00")
                == ["2026-01-01 08:00:30+00:00", "2026-01-02 08:00:30+00:00"]
        )
    }

    @Test("A month alone is midnight of its first day, a year alone that of 1 January")
    func coarse() throws {
        #expect(
            try utc.next(2, DateFields(month: 5), after: "2026-05-01 00:00")
                == ["2027-05-01 00:00+00:00", "2028-05-01 00:00+00:00"]
        )
        #expect(try utc.next(2, DateFields(year: 2030), after: "2026-05-01 00:00") == ["2030-01-01 00:00+00:00"])
    }

    @Test("A week alone is its first day")
    func week() throws {
        #expect(
            try utc.next(2, DateFields(weekOfYear: 20), after: "2026-01-01 00:00", weeks: .iso8601)
                == ["2026-05-11 00:00+00:00", "2027-05-17 00:00+00:00"]
        )
        #expect(
            try utc.next(2, DateFields(weekOfMonth: 3), after: "2026-01-01 00:00")
                == ["2026-01-11 00:00+00:00", "2026-02-15 00:00+00:00"]
        )
        #expect(
            try utc.next(1, DateFields(yearForWeekOfYear: 2027), after: "2026-01-01 00:00", weeks: .iso8601)
                == ["2027-01-04 00:00+00:00"]
        )
    }

    @Test("A week that a month cuts off begins, in that month, with the first")
    func cutWeek() throws {
        #expect(
            try utc.next(3, DateFields(weekOfMonth: 1), after: "2026-01-01 00:00")
                == ["2026-02-01 00:00+00:00", "2026-03-01 00:00+00:00", "2026-04-01 00:00+00:00"]
        )
    }

    @Test("Month and weekday are every such weekday of the month, month and hour every day of it")
    func everyOfTheMonth() throws {
        #expect(
            try utc.next(5, DateFields(month: 1, weekday: 2), after: "2026-01-01 00:00") == [
                "2026-01-05 00:00+00:00", "2026-01-12 00:00+00:00", "2026-01-19 00:00+00:00", "2026-01-26 00:00+00:00",
                "2027-01-04 00:00+00:00",
            ]
        )
        #expect(
            try utc.next(2, DateFields(month: 1, hour: 9), after: "2026-01-31 00:00")
                == ["2026-01-31 09:00+00:00", "2027-01-01 09:00+00:00"]
        )
    }

    @Test("A weekday with a time is weekly, a month and day yearly")
    func weeklyAndYearly() throws {
        #expect(
            try utc.next(2, DateFields(weekday: 3, hour: 19, minute: 30), after: "2026-11-21 00:00")
                == ["2026-11-24 19:30+00:00", "2026-12-01 19:30+00:00"]
        )
        #expect(
            try utc.next(2, DateFields(month: 5, day: 10, hour: 8), after: "2026-11-21 00:00")
                == ["2027-05-10 08:00+00:00", "2028-05-10 08:00+00:00"]
        )
    }

    @Test("Several sets of components fire at their union, each instant once")
    func union() throws {
        #expect(
            try utc.next(
                4,
                DateFields(weekday: 2, hour: 8),
                DateFields(weekday: 4, hour: 20),
                DateFields(weekday: 2, hour: 8, minute: 0),
                after: "2026-11-21 00:00"
            ) == [
                "2026-11-23 08:00+00:00", "2026-11-25 20:00+00:00", "2026-11-30 08:00+00:00", "2026-12-02 20:00+00:00",
            ]
        )
    }
}
