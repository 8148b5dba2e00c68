/// When the user wants to be left alone: daily periods of local time, wherever the machine is.
///
/// Notices that are ``InterruptionLevel/timeSensitive`` or ``InterruptionLevel/critical`` are shown all the same; the
/// rest is deferred, or shown quietly.
///
/// ```swift
/// let nights = QuietHours([QuietHours.Period(from: "22:00", to: "7:00")])
/// try await center.setQuietHours(nights)
/// ```
public struct QuietHours: Sendable, Codable, Hashable {
    /// What becomes of a notice that is due in quiet hours and may not interrupt them.
    public enum Behavior: String, Sendable, Codable, Hashable, CaseIterable {
        /// It is shown when they end, and is not late by that; of a request that repeats, the latest firing.
        case wait
        /// Without a sound, with the urgency of ``InterruptionLevel/passive``: most desktops show no popup then.
        case deliverQuietly
    }

    /// It is quiet during each of them; 1 to 100.
    public var periods: [Period]
    /// What becomes of notices that are due meanwhile.
    public var behavior: Behavior

    /// Creates quiet hours; ``NoticeCenter/setQuietHours(_:)`` checks them.
    public init(_ periods: [Period], behavior: Behavior = .wait) {
        self.periods = periods
        self.behavior = behavior
    }

    /// Throws ``NoticeError/Code/invalidComponent``; permanent.
    public func validate() throws(NoticeError) {
        guard (1...100).contains(periods.count) else {
            throw NoticeError(
                .invalidComponent,
                "Quiet hours of \(periods.count) periods: give 1 to 100, or nil for none at all."
            )
        }
        for period in periods { try period.validate() }
    }
}

extension QuietHours {
    /// A daily period of local time. It may go over midnight, and begins on chosen weekdays or on every day.
    ///
    /// Where a clock change skips an end of it, the time that follows counts; of a time that comes twice the first one
    /// does.
    public struct Period: Sendable, Hashable {
        /// When it begins, in the zone of the machine.
        public var start: TimeOfDay
        /// Where it is not after ``start``, it is on the next day; equal to it, the period lasts a whole day.
        public var end: TimeOfDay
        /// The days on which the period begins; at least one.
        public var weekdays: Set<Weekday>

        /// Creates a period; it ends on the next day where `to` is not after `from`.
        public init(from start: TimeOfDay, to end: TimeOfDay, on weekdays: Set<Weekday> = Weekday.everyDay) {
            self.start = start
            self.end = end
            self.weekdays = weekdays
        }

        func validate() throws(NoticeError) {
            try start.validate()
            try end.validate()
            guard weekdays.isEmpty else { return }
            throw NoticeError(
                .invalidComponent,
                "Quiet hours from \(start) to \(end) on no weekday: give some, or none at all for every day."
            )
        }
    }
}

/// `{"from": "22:00", "to": "7:00", "weekdays": [2, 3]}`; without `weekdays` it is every day.
extension QuietHours.Period: Codable {
    private enum CodingKeys: String, CodingKey {
        case start = "from"
        case end = "to"
        case weekdays
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        start = try values.decode(TimeOfDay.self, forKey: .start)
        end = try values.decode(TimeOfDay.self, forKey: .end)
        weekdays = try values.decodeIfPresent(Set<Weekday>.self, forKey: .weekdays) ?? Weekday.everyDay
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(start, forKey: .start)
        try values.encode(end, forKey: .end)
        guard weekdays != Weekday.everyDay else { return }
        try values.encode(weekdays.sorted { $0.rawValue < $1.rawValue }, forKey: .weekdays)
    }
}
