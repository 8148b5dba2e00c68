/// Daily periods of local time in which the user does not want to be disturbed.
///
/// Notices that are ``InterruptionLevel/timeSensitive`` or ``InterruptionLevel/critical`` are shown nevertheless. All
/// others are deferred, or shown quietly.
///
/// ```swift
/// let nights = QuietHours([QuietHours.Period(from: "22:00", to: "7:00")])
/// try await center.setQuietHours(nights)
/// ```
public struct QuietHours: Sendable, Codable, Hashable {
    /// What happens to a notice that is due in quiet hours and may not interrupt them.
    public enum Behavior: String, Sendable, Codable, Hashable, CaseIterable {
        /// Deferred until quiet hours end, without counting as late. A repeating request shows only its latest firing.
        case wait
        /// Shown without a sound, with the urgency of ``InterruptionLevel/passive``: most desktops show no popup then.
        case deliverQuietly
    }

    /// The periods, 1 to 100.
    public var periods: [Period]
    /// What happens to notices that are due in a period.
    public var behavior: Behavior

    /// Creates quiet hours; ``NoticeCenter/setQuietHours(_:)`` checks them.
    public init(_ periods: [Period], behavior: Behavior = .wait) {
        self.periods = periods
        self.behavior = behavior
    }

    /// Checks the periods.
    ///
    /// - Throws: ``NoticeError/Code/invalidComponent`` for a number of periods, a time or a set of weekdays that is out
    ///   of range; permanent.
    public func validate() throws(NoticeError) {
        guard (1...100).contains(periods.count) else {
            throw NoticeError(
                .invalidComponent,
                "Quiet hours of \(periods.count) periods: give 1 to 100, or remove the quiet hours."
            )
        }
        for period in periods { try period.validate() }
    }
}

extension QuietHours {
    /// A daily period of local time. It may cross midnight, and begins on selected weekdays or on every day.
    ///
    /// If a clock change skips the start or the end, the time after the gap is used. If a time occurs twice, the first
    /// occurrence is used.
    public struct Period: Sendable, Hashable {
        /// When it begins, in the machine's time zone.
        public var start: TimeOfDay
        /// When it ends: on the next day if not after ``start``. With equal start and end, it lasts a whole day.
        public var end: TimeOfDay
        /// The weekdays on which the period begins; at least one.
        public var weekdays: Set<Weekday>

        /// Creates a period; it ends on the next day if `to` is not after `from`.
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

/// Coded as `{"from": "22:00", "to": "7:00", "weekdays": [2, 3]}`; without `weekdays` it begins on every day.
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
