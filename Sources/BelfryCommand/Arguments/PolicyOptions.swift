#if CommandLine
import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules

/// The options for dates and times that do not exist, or exist twice.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: .init("When a month lacks the day: nextDay, lastDayOfMonth or skip.", valueName: "policy"),
        completion: .names(of: MissingDatePolicy.self)
    )
    var missingDate: String?

    @Option(
        help: .init(
            "For a time that a clock change skips: shiftForward, firstValid, shiftBackward or skip.",
            valueName: "policy"
        ),
        completion: .names(of: MissingTimePolicy.self)
    )
    var missingTime: String?

    @Option(
        help: .init("When a local time occurs twice: first or last.", valueName: "policy"),
        completion: .names(of: RepeatedTimePolicy.self)
    )
    var repeatedTime: String?

    @Option(help: .init("The first day of the week, for week components: 1 (Sunday) to 7.", valueName: "day"))
    var firstWeekday: Int?

    @Option(help: .init("The minimum days in the first week, for week components: 1 to 7.", valueName: "days"))
    var minimumDaysInFirstWeek: Int?

    func policies() throws(NoticeError) -> DatePolicies {
        var policies = DatePolicies()
        if let missingDate { policies.missingDate = try PolicyName.parse(missingDate, of: "--missing-date") }
        if let missingTime { policies.missingTime = try PolicyName.parse(missingTime, of: "--missing-time") }
        if let repeatedTime { policies.repeatedTime = try PolicyName.parse(repeatedTime, of: "--repeated-time") }
        return policies
    }

    var weeks: WeekRules {
        WeekRules(firstWeekday: firstWeekday ?? 1, minimumDaysInFirstWeek: minimumDaysInFirstWeek ?? 1)
    }
}
#endif
