import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Testing

@testable import BelfryCommand

@Suite("Components after --match", .takesTurns)
struct MatchTextTests {
    @Test(
        "Components are read by name, weekdays and months by theirs",
        arguments: [
            ("month=5,day=10,hour=8", DateFields(month: 5, day: 10, hour: 8)),
            ("weekday=tue,hour=19", DateFields(weekday: 3, hour: 19)),
            ("month=May, day=-1", DateFields(month: 5, day: -1)),
            ("weekday=Sunday,weekdayOrdinal=-1", DateFields(weekday: 1, weekdayOrdinal: -1)),
            ("hour=99", DateFields(hour: 99)),
        ]
    )
    func components(text: String, expected: DateFields) throws {
        #expect(try MatchText.parse(text) == expected)
    }

    @Test(
        "What is no component is refused as wrong usage",
        arguments: [
            "", "hour", "hour=", "=8", "hour=8,", "hour=8,hour=9", "hours=8", "hour=eight", "hour=8.5", "weekday=t",
            "hour=may", "hour=99999999999999999999", "hour = 8 = 9",
        ]
    )
    func refused(text: String) {
        let failure = #expect(throws: NoticeError.self) { try MatchText.parse(text) }
        #expect(failure?.status == .usage)
    }

    @Test("A policy is known by its name in either spelling")
    func policies() throws {
        let camel: MissingDatePolicy = try PolicyName.parse("lastDayOfMonth", of: "--missing-date")
        let kebab: MissingDatePolicy = try PolicyName.parse("last-day-of-month", of: "--missing-date")
        #expect(camel == .lastDayOfMonth)
        #expect(kebab == .lastDayOfMonth)
        #expect(throws: NoticeError.self) { () throws(NoticeError) -> MissingTimePolicy in
            try PolicyName.parse("nextDay", of: "--missing-time")
        }
    }
}
