import BelfryRecurrence
import BelfryTestSupport
import Testing

@Suite("A day that its month lacks", .takesTurns)
struct ShortMonthTests {
    let berlin: Local

    init() throws {
        berlin = try Local("Europe/Berlin")
    }

    @Test("29 February falls on 1 March of a common year, at the same time of day")
    func leapDayOnTheNext() throws {
        #expect(
            try berlin.next(3, DateFields(month: 2, day: 29, hour: 8), after: "2027-01-01 00:00")
                == ["2027-03-01 08:00+01:00", "2028-02-29 08:00+01:00", "2029-03-01 08:00+01:00"]
        )
    }

    @Test("29 February is the last of February, or comes in leap years only, where that is asked for")
    func leapDayOtherwise() throws {
        let fields = DateFields(month: 2, day: 29, hour: 8)
        #expect(
            try berlin.next(2, fields, after: "2027-01-01 00:00", missingDate: .lastDayOfMonth)
                == ["2027-02-28 08:00+01:00", "2028-02-29 08:00+01:00"]
        )
        #expect(
            try berlin.next(2, fields, after: "2028-12-01 00:00", missingDate: .skip)
                == ["2032-02-29 08:00+01:00", "2036-02-29 08:00+01:00"]
        )
        #expect(
            try Local("UTC").next(1, fields, after: "2096-03-01 00:00", missingDate: .skip) == [
                "2104-02-29 08:00+00:00"
            ]
        )
    }

    @Test("The 31st falls on the first of the next month, the last of its own, or nowhere")
    func thirtyFirst() throws {
        let fields = DateFields(day: 31, hour: 12)
        #expect(
            try berlin.next(3, fields, after: "2026-04-01 00:00")
                == ["2026-05-01 12:00+02:00", "2026-05-31 12:00+02:00", "2026-07-01 12:00+02:00"]
        )
        #expect(
            try berlin.next(3, fields, after: "2026-04-01 00:00", missingDate: .lastDayOfMonth)
                == ["2026-04-30 12:00+02:00", "2026-05-31 12:00+02:00", "2026-06-30 12:00+02:00"]
        )
        #expect(
            try berlin.next(2, fields, after: "2026-04-01 00:00", missingDate: .skip)
                == ["2026-05-31 12:00+02:00", "2026-07-31 12:00+02:00"]
        )
    }

    @Test("Two missing days that fall on one fire once")
    func once() throws {
        #expect(
            try berlin.next(3, DateFields(day: 29), DateFields(day: 30), after: "2026-02-01 00:00")
                == ["2026-03-01 00:00+01:00", "2026-03-29 00:00+01:00", "2026-03-30 00:00+02:00"]
        )
    }

    @Test("A date that no year has fires by the policy, and is refused under skip")
    func neverThere() throws {
        let fields = DateFields(month: 4, day: 31)
        #expect(try berlin.next(1, fields, after: "2026-01-01 00:00") == ["2026-05-01 00:00+02:00"])
        let pattern = try DatePattern(matching: [fields], zone: .utc, policies: DatePolicies(missingDate: .skip))
        #expect(pattern.next(after: 0) == nil)
        #expect(pattern.impossibility?.code == .impossibleDate)
        #expect(pattern.impossibility?.message.contains("day 31") == true)
    }

    @Test("Beside a weekday, an ordinal or a day of the year, a date that doesn't exist is skipped")
    func elsewhere() throws {
        #expect(
            try berlin.next(1, DateFields(month: 2, day: 29, weekday: 3), after: "2026-01-01 00:00")
                == ["2028-02-29 00:00+01:00"]
        )
        #expect(
            try berlin.next(1, DateFields(dayOfYear: 366), after: "2026-01-01 00:00") == ["2028-12-31 00:00+01:00"]
        )
        #expect(
            try berlin.next(1, DateFields(weekday: 2, weekdayOrdinal: 5), after: "2026-07-01 00:00")
                == ["2026-08-31 00:00+02:00"]
        )
    }
}
