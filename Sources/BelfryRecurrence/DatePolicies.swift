/// What a date means in a month that lacks its day (29 February in a common year, the 31st of April).
public enum MissingDatePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// The first day of the following month.
    case nextDay
    /// The last day that the month has.
    case lastDayOfMonth
    /// Nothing fires.
    case skip
}

/// What a local time means that a clock change jumps over.
public enum MissingTimePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// Later by the length of the gap, as in RFC 5545 and java.time: 2:30 becomes 3:30.
    case shiftForward
    /// The first instant after the gap.
    case firstValid
    /// Earlier by the length of the gap: 2:30 becomes 1:30.
    case shiftBackward
    /// Nothing fires.
    case skip
}

/// Which of its two passes a local time means that a clock change repeats.
public enum RepeatedTimePolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// The earlier pass.
    case first
    /// The later pass.
    case last
}

/// The three decisions that a calendar leaves open.
public struct DatePolicies: Sendable, Codable, Hashable {
    /// What becomes of a date that a month lacks.
    public var missingDate: MissingDatePolicy
    /// What becomes of a time that a clock change skips.
    public var missingTime: MissingTimePolicy
    /// Which pass of a repeated time counts.
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
