/// The treatment of a date that its month lacks (29 February in a common year, the 31st of April).
///
/// ```swift
/// // The rent is due on the 31st, and on the last day of shorter months.
/// let policies = DatePolicies(missingDate: .lastDayOfMonth)
/// let rent = try DatePattern(matching: [DateFields(day: 31, hour: 9)], zone: .system(), policies: policies)
/// ```
public enum MissingDatePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// Uses the first day of the following month.
    case nextDay
    /// Uses the last day of the month.
    case lastDayOfMonth
    /// Skips the date.
    case skip
}

/// The treatment of a local time that a clock change skips.
///
/// ```swift
/// // The backup is at 2:30, and at 3:00 in the night in which the clocks skip from 2:00 to 3:00.
/// let policies = DatePolicies(missingTime: .firstValid)
/// let backup = try DatePattern(matching: [DateFields(hour: 2, minute: 30)], zone: .system(), policies: policies)
/// ```
public enum MissingTimePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// Shifts the time later by the length of the gap, as in RFC 5545 and java.time: 2:30 becomes 3:30.
    case shiftForward
    /// Uses the first instant after the gap.
    case firstValid
    /// Shifts the time earlier by the length of the gap: 2:30 becomes 1:30.
    case shiftBackward
    /// Skips the time.
    case skip
}

/// The choice between the two occurrences of a local time that a clock change repeats.
///
/// ```swift
/// // The backup is at 2:30; in the night that has this time twice, when it comes for the second time.
/// let policies = DatePolicies(repeatedTime: .last)
/// let backup = try DatePattern(matching: [DateFields(hour: 2, minute: 30)], zone: .system(), policies: policies)
/// ```
public enum RepeatedTimePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// The earlier occurrence.
    case first
    /// The later occurrence.
    case last
}

/// The policies for dates and times that are missing or repeated.
///
/// ```swift
/// // A birthday on 29 February, in leap years only.
/// let policies = DatePolicies(missingDate: .skip)
/// let birthday = try DatePattern(matching: [DateFields(month: 2, day: 29)], zone: .system(), policies: policies)
/// ```
public struct DatePolicies: Sendable, Codable, Hashable {
    /// The policy for a date that its month lacks.
    public var missingDate: MissingDatePolicy
    /// The policy for a time that a clock change skips.
    public var missingTime: MissingTimePolicy
    /// The policy for a time that a clock change repeats.
    public var repeatedTime: RepeatedTimePolicy

    /// Creates policies; the defaults are those of most calendars.
    public init(
        missingDate: MissingDatePolicy = .nextDay,
        missingTime: MissingTimePolicy = .shiftForward,
        repeatedTime: RepeatedTimePolicy = .first
    ) {
        self.missingDate = missingDate
        self.missingTime = missingTime
        self.repeatedTime = repeatedTime
    }
}
