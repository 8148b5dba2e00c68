import BelfryRecurrence
import BelfryTestSupport
import Testing

@Suite("A local time that a clock change skips", .takesTurns)
struct SkippedTimeTests {
    let berlin: Local
    /// On 29 March 2026 at 2:00 the clock in Berlin goes to 3:00.
    let halfPastTwo = DateFields(hour: 2, minute: 30)
    let before = "2026-03-28 12:00"

    init() throws {
        berlin = try Local("Europe/Berlin")
    }

    @Test("It is moved later by the length of the gap")
    func shiftForward() throws {
        #expect(
            try berlin.next(2, halfPastTwo, after: before) == ["2026-03-29 03:30+02:00", "2026-03-30 02:30+02:00"]
        )
    }

    @Test("It is the first instant after the gap")
    func firstValid() throws {
        #expect(
            try berlin.next(2, halfPastTwo, after: before, missingTime: .firstValid)
                == ["2026-03-29 03:00+02:00", "2026-03-30 02:30+02:00"]
        )
    }

    @Test("It is moved earlier by the length of the gap")
    func shiftBackward() throws {
        #expect(
            try berlin.next(2, halfPastTwo, after: before, missingTime: .shiftBackward)
                == ["2026-03-29 01:30+01:00", "2026-03-30 02:30+02:00"]
        )
    }

    @Test("It doesn't fire")
    func skip() throws {
        #expect(
            try berlin.next(1, halfPastTwo, after: before, missingTime: .skip) == ["2026-03-30 02:30+02:00"]
        )
    }

    @Test("Hourly and finer triggers skip what isn't there")
    func hourly() throws {
        for policy in MissingTimePolicy.allCases {
            #expect(
                try berlin.next(3, DateFields(minute: 30), after: "2026-03-29 00:45", missingTime: policy)
                    == ["2026-03-29 01:30+01:00", "2026-03-29 03:30+02:00", "2026-03-29 04:30+02:00"]
            )
        }
    }

    @Test("Where it lands on an instant that fires anyway, it fires once")
    func once() throws {
        #expect(
            try berlin.next(3, halfPastTwo, DateFields(hour: 3, minute: 30), after: before)
                == ["2026-03-29 03:30+02:00", "2026-03-30 02:30+02:00", "2026-03-30 03:30+02:00"]
        )
    }

    @Test("A date without a time, whose midnight is skipped, fires by the policy")
    func midnight() throws {
        let cairo = try Local("Africa/Cairo")
        #expect(
            try cairo.next(1, DateFields(month: 4, day: 24), after: "2026-01-01 00:00") == ["2026-04-24 01:00+03:00"]
        )
    }

    @Test("A date whose only time is skipped is refused under skip, by name")
    func impossible() throws {
        let fields = DateFields(year: 2026, month: 3, day: 29, hour: 2, minute: 30)
        let pattern = try DatePattern(
            matching: [fields],
            zone: berlin.zone,
            policies: DatePolicies(missingTime: .skip)
        )
        #expect(pattern.next(after: 0) == nil)
        #expect(pattern.impossibility?.message.contains("hour 2, minute 30") == true)
    }
}
