/// The treatment of a date that its month lacks (29 February in a common year, the 31st of April).
public enum MissingDatePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// Uses the first day of the following month.
    case nextDay
    /// Uses the last day of the month.
    case lastDayOfMonth
    /// Skips the date.
    case skip
}

/// The treatment of a local time that a clock change skips.
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
public enum RepeatedTimePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// The earlier occurrence.
    case first
    /// The later occurrence.
    case last
}

/// The policies for dates and times that are missing or repeated.
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
