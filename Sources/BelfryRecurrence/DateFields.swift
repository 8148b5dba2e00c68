/// A set of date components. A local date matches if it equals each component that is given.
///
/// Components finer than the finest given one are at their minimum, and so is the minute between a given hour and
/// second. All other components that aren't given match any value.
///
/// ```swift
/// let lastFriday = DateFields(weekday: 6, weekdayOrdinal: -1, hour: 18)
/// let trigger = CalendarTrigger(matching: lastFriday, repeats: true)
/// ```
public struct DateFields: Sendable, Codable, Hashable {
    /// The era: 1 is the common era. 0 is the one before it, which no rule can reach.
    public var era: Int?
    /// The year, 1 to 9999.
    public var year: Int?
    /// The month, 1 to 12, or to 13 in calendars that have 13 months.
    public var month: Int?
    /// The day of the month, 1 to 31, or −1 (the last of the month) to −31.
    public var day: Int?
    /// The day of the year, 1 to 366.
    public var dayOfYear: Int?
    /// The weekday, 1 (Sunday) to 7 (Saturday).
    public var weekday: Int?
    /// The ordinal of the weekday in its month: 1 to 5, or −1 (the last) to −5.
    public var weekdayOrdinal: Int?
    /// The week of the month, 0 to 6. Week 0 has the days before the first week.
    public var weekOfMonth: Int?
    /// The week of the year, 1 to 53.
    public var weekOfYear: Int?
    /// The year that the week belongs to, 1 to 9999.
    public var yearForWeekOfYear: Int?
    /// The hour, 0 to 23.
    public var hour: Int?
    /// The minute, 0 to 59.
    public var minute: Int?
    /// The second, 0 to 59.
    public var second: Int?

    /// Creates components. Nil ones match any value, or are at their minimum if they are finer than the finest given
    /// one.
    public init(
        era: Int? = nil,
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        dayOfYear: Int? = nil,
        weekday: Int? = nil,
        weekdayOrdinal: Int? = nil,
        weekOfMonth: Int? = nil,
        weekOfYear: Int? = nil,
        yearForWeekOfYear: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil
    ) {
        self.era = era
        self.year = year
        self.month = month
        self.day = day
        self.dayOfYear = dayOfYear
        self.weekday = weekday
        self.weekdayOrdinal = weekdayOrdinal
        self.weekOfMonth = weekOfMonth
        self.weekOfYear = weekOfYear
        self.yearForWeekOfYear = yearForWeekOfYear
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The names and key paths of the components, coarse to fine. The names are those of the JSON form.
    package static let components: [(name: String, path: any WritableKeyPath<DateFields, Int?> & Sendable)] = [
        ("era", \.era), ("year", \.year), ("yearForWeekOfYear", \.yearForWeekOfYear), ("month", \.month),
        ("weekOfYear", \.weekOfYear), ("weekOfMonth", \.weekOfMonth), ("day", \.day), ("dayOfYear", \.dayOfYear),
        ("weekday", \.weekday), ("weekdayOrdinal", \.weekdayOrdinal), ("hour", \.hour), ("minute", \.minute),
        ("second", \.second),
    ]

    /// The components without the week fields if the date is complete. `Calendar.dateComponents(in:from:)` fills them
    /// in by its own calendar, which would make a trigger that never fires.
    public var withoutRedundantWeeks: DateFields {
        guard year != nil, month != nil, day != nil else { return self }
        var fields = self
        fields.weekOfMonth = nil
        fields.weekOfYear = nil
        fields.yearForWeekOfYear = nil
        return fields
    }

    /// One sentence for each component that is ignored.
    public var warnings: [String] {
        let kept = withoutRedundantWeeks
        return Self.components.compactMap { name, path in
            guard let value = self[keyPath: path], kept[keyPath: path] == nil else { return nil }
            return "\(name) \(value) is ignored beside year, month and day."
        }
    }

    var hasTime: Bool { hour != nil || minute != nil || second != nil }
    var hasWeek: Bool { weekOfMonth != nil || weekOfYear != nil }
    var hasDay: Bool { day != nil || dayOfYear != nil || weekday != nil || weekdayOrdinal != nil }
}
