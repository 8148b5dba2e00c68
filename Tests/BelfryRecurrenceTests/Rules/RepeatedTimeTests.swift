import BelfryRecurrence
import BelfryTestSupport
import Testing

@Suite("A local time that occurs twice", .takesTurns)
struct RepeatedTimeTests {
    let berlin: Local
    /// On 25 October 2026 at 3:00 the clock in Berlin goes back to 2:00.
    let halfPastTwo = DateFields(hour: 2, minute: 30)

    init() throws {
        berlin = try Local("Europe/Berlin")
    }

    @Test("It fires once, at the first pass or at the last")
    func once() throws {
        #expect(
            try berlin.next(2, halfPastTwo, after: "2026-10-24 12:00")
                == ["2026-10-25 02:30+02:00", "2026-10-26 02:30+01:00"]
        )
        #expect(
            try berlin.next(2, halfPastTwo, after: "2026-10-24 12:00", repeatedTime: .last)
                == ["2026-10-25 02:30+01:00", "2026-10-26 02:30+01:00"]
        )
    }

    @Test("Asked again between the two passes, the answer is the next day's")
    func betweenThePasses() throws {
        for after in ["2026-10-25 02:30+02:00", "2026-10-25 02:45+02:00", "2026-10-25 02:00+01:00"] {
            #expect(try berlin.next(1, halfPastTwo, after: after) == ["2026-10-26 02:30+01:00"])
        }
        #expect(
            try berlin.next(1, halfPastTwo, after: "2026-10-25 02:45+02:00", repeatedTime: .last)
                == ["2026-10-25 02:30+01:00"]
        )
    }

    @Test("When the hour is not given, both passes fire")
    func hourly() throws {
        #expect(
            try berlin.next(4, DateFields(minute: 30), after: "2026-10-25 01:45") == [
                "2026-10-25 02:30+02:00", "2026-10-25 02:30+01:00", "2026-10-25 03:30+01:00", "2026-10-25 04:30+01:00",
            ]
        )
        let pattern = try DatePattern(matching: [DateFields(second: 0)], zone: berlin.zone)
        let start = berlin.instant("2026-10-25 01:59+02:00")
        #expect(Array(pattern.dates(after: start).prefix(180)) == (1...180).map { start + 60 * $0 })
    }
}
