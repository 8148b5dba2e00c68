/// One set of date components: a local date matches it when it equals each one that is given.
///
/// Components finer than the finest one given are at their minimum, and so is the minute between a given hour and a
/// given second; all others that are not given match anything.
public struct DateFields: Sendable, Codable, Hashable {
    /// 1, the common era; 0, the one before it, which no rule can reach.
    public var era: Int?
    /// 1 to 9999.
    public var year: Int?
    /// 1 to 12, or to 13 where the calendar has them.
    public var month: Int?
    /// 1 to 31, or −1 (the last of the month) to −31.
    public var day: Int?
    /// 1 to 366.
    public var dayOfYear: Int?
    /// 1 (Sunday) to 7 (Saturday).
    public var weekday: Int?
    /// Which one of its weekday in the month: 1 to 5, or −1 (the last) to −5.
    public var weekdayOrdinal: Int?
    /// 0 to 6; 0 are the days before the first week.
    public var weekOfMonth: Int?
    /// 1 to 53.
    public var weekOfYear: Int?
    /// The year that a week counts to, 1 to 9999.
    public var yearForWeekOfYear: Int?
    /// 0 to 23.
    public var hour: Int?
    /// 0 to 59.
    public var minute: Int?
    /// 0 to 59.
    public var second: Int?

    /// Creates components; those that are nil match anything, or are zero where they are finer than the finest given
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

    /// The names of the components and where they are kept, coarse to fine; the names are those of the JSON form.
    static let components: [(name: String, path: any WritableKeyPath<DateFields, Int?> & Sendable)] = [
        ("era", \.era), ("year", \.year), ("yearForWeekOfYear", \.yearForWeekOfYear), ("month", \.month),
        ("weekOfYear", \.weekOfYear), ("weekOfMonth", \.weekOfMonth), ("day", \.day), ("dayOfYear", \.dayOfYear),
        ("weekday", \.weekday), ("weekdayOrdinal", \.weekdayOrdinal), ("hour", \.hour), ("minute", \.minute),
        ("second", \.second),
    ]

    /// The components without the week fields beside a full date: `Calendar.dateComponents(in:from:)` fills them all
    /// in, by its own calendar, and would make a trigger that never fires.
    public var withoutRedundantWeeks: DateFields {
        guard year != nil, month != nil, day != nil else { return self }
        var fields = self
        fields.weekOfMonth = nil
        fields.weekOfYear = nil
        fields.yearForWeekOfYear = nil
        return fields
    }

    /// What is ignored, a sentence each.
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
