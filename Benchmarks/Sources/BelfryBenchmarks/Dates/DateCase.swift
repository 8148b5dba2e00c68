import BelfryRecurrence
import Foundation

/// One rule in the words of all three engines, all in Los Angeles.
///
/// Dates that a month lacks are skipped, as RRULE has it: the one policy that all three can be asked for and answer
/// alike.
struct DateCase {
    static let zoneName = "America/Los_Angeles"

    let name: String
    let fields: DateFields
    let rule: String
    /// Local; libical's first date.
    let start: String
    /// How far to walk to compare and to measure the slow ones.
    let count: Int
    /// How many successive dates ours is measured on.
    let oursCount: Int
    /// Asked again and again before the one date there is.
    var isOneShot = false

    static let all = [
        DateCase(
            name: "daily",
            fields: DateFields(hour: 8),
            rule: "FREQ=DAILY",
            start: "20250101T080000",
            count: 300,
            oursCount: 4_000
        ),
        // One summer: where clocks change, libical repeats no hour that comes twice.
        DateCase(
            name: "hourly",
            fields: DateFields(minute: 30),
            rule: "FREQ=HOURLY",
            start: "20250310T003000",
            count: 300,
            oursCount: 4_000
        ),
        DateCase(
            name: "weekly",
            fields: DateFields(weekday: 3, hour: 19, minute: 30),
            rule: "FREQ=WEEKLY;BYDAY=TU",
            start: "20250107T193000",
            count: 300,
            oursCount: 4_000
        ),
        DateCase(
            name: "monthly on the 31st",
            fields: DateFields(day: 31, hour: 8),
            rule: "FREQ=MONTHLY;BYMONTHDAY=31",
            start: "20250131T080000",
            count: 70,
            oursCount: 2_000
        ),
        DateCase(
            name: "29 February",
            fields: DateFields(month: 2, day: 29, hour: 8),
            rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            start: "20280229T080000",
            count: 3,
            oursCount: 90
        ),
        DateCase(
            name: "4th Thursday of November",
            fields: DateFields(month: 11, weekday: 5, weekdayOrdinal: 4, hour: 8),
            rule: "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
            start: "20251127T080000",
            count: 12,
            oursCount: 300
        ),
        DateCase(
            name: "one-shot",
            fields: DateFields(year: 2027, month: 5, day: 10, hour: 8, minute: 30),
            rule: "FREQ=DAILY;COUNT=1",
            start: "20270510T083000",
            count: 300,
            oursCount: 4_000,
            isOneShot: true
        ),
    ]

    /// 1 January 2025, 00:00 in Los Angeles.
    static let beginning: Int64 = 1_735_718_400
    /// 10 March 2025, 00:00 in Los Angeles: the first day that is wholly summer time.
    static let summer: Int64 = 1_741_590_000

    /// After this, the first date is the rule's first for all engines.
    var beginning: Int64 { name == "hourly" ? Self.summer : Self.beginning }

    func pattern() throws -> DatePattern {
        try DatePattern(
            matching: [fields],
            zone: .named(Self.zoneName),
            policies: DatePolicies(missingDate: .skip)
        )
    }

    var components: DateComponents {
        var components = DateComponents()
        components.year = fields.year
        components.month = fields.month
        components.day = fields.day
        components.weekday = fields.weekday
        components.weekdayOrdinal = fields.weekdayOrdinal
        components.hour = fields.hour
        components.minute = fields.minute
        return components
    }

    /// What is asked before the one date of a one-shot: every 3 hours or so, two years long.
    func question(_ number: Int) -> Int64 { Self.beginning + Int64(number % 6_000) * 12_347 }
}
