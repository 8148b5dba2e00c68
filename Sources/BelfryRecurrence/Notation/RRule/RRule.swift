/// A recurrence of iCalendar: RFC 5545, sections 3.3.10 and 3.8.5, with `SKIP` of RFC 7529.
///
/// It represents the text; ``compiled(start:zone:)`` makes a pattern of it. Its description is in normal form: upper
/// case, parts and values in a fixed order, without defaults.
///
/// ```swift
/// let lastFridays = try RRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=12")
/// let pattern = try lastFridays.compiled(start: 1_800_000_000, zone: .named("Europe/Berlin"))
/// ```
public struct RRule: RecurrenceNotation {
    /// The frequency at which a rule repeats, before its interval.
    public enum Frequency: String, Sendable, Hashable, CaseIterable {
        /// Every second.
        case secondly = "SECONDLY"
        /// Every minute.
        case minutely = "MINUTELY"
        /// Every hour.
        case hourly = "HOURLY"
        /// Every day.
        case daily = "DAILY"
        /// Every week.
        case weekly = "WEEKLY"
        /// Every month.
        case monthly = "MONTHLY"
        /// Every year.
        case yearly = "YEARLY"

        /// Whether it counts hours, minutes or seconds, and not days or longer periods.
        var isOfTime: Bool { [.hourly, .minutely, .secondly].contains(self) }
    }

    /// The treatment of a day that its month lacks (RFC 7529).
    public enum Skip: String, Sendable, Hashable {
        /// Skips the day.
        case omit = "OMIT"
        /// Uses the last day before it.
        case backward = "BACKWARD"
        /// Uses the first day after it.
        case forward = "FORWARD"
    }

    /// A weekday, 1 (Sunday) to 7, with its ordinal in the month or year.
    public struct Weekday: Sendable, Hashable {
        /// The weekday, 1 (Sunday) to 7.
        public var weekday: Int
        /// The ordinal, counted from the end if negative; nil means every such weekday.
        public var ordinal: Int?
    }

    /// A date, or a date and time, as it is written: at UTC, in a named zone, or local.
    public struct DateValue: Sendable, Hashable {
        /// The clock that a written time refers to.
        public enum Clock: Sendable, Hashable {
            /// UTC, written with a Z.
            case utc
            /// The clock of a named zone.
            case zone(String)
            /// The local clock of the reader.
            case local
        }

        /// The date and time in seconds since 1970, as if the zone were UTC; midnight for a date alone.
        public var local: Int64
        /// Whether it is a date without a time.
        public var isDate: Bool
        /// The clock that shows the date and time.
        public var clock: Clock
    }

    /// The end of a rule.
    public enum End: Sendable, Hashable {
        /// Ends after this many dates.
        case count(Int)
        /// Ends with this date, inclusive. A date without a time includes its whole day.
        case until(DateValue)
    }

    /// One `RRULE`.
    public struct Rule: Sendable, Hashable {
        /// `FREQ`.
        public var frequency: Frequency
        /// `INTERVAL`, 1 or more.
        public var interval = 1
        /// `COUNT` or `UNTIL`; nil if the rule has no end.
        public var end: End?
        /// `BYSECOND`.
        public var seconds: [Int] = []
        /// `BYMINUTE`.
        public var minutes: [Int] = []
        /// `BYHOUR`.
        public var hours: [Int] = []
        /// `BYDAY`.
        public var weekdays: [Weekday] = []
        /// `BYMONTHDAY`.
        public var monthDays: [Int] = []
        /// `BYYEARDAY`.
        public var yearDays: [Int] = []
        /// `BYWEEKNO`.
        public var weekNumbers: [Int] = []
        /// `BYMONTH`.
        public var months: [Int] = []
        /// `BYSETPOS`.
        public var positions: [Int] = []
        /// `WKST`, 1 (Sunday) to 7.
        public var weekStart = 2
        /// `SKIP`.
        public var skip = Skip.omit

        init(frequency: Frequency) {
            self.frequency = frequency
        }
    }

    /// `DTSTART`; nil if the text has none.
    public var start: DateValue?
    /// The `RRULE` lines.
    public var rules: [Rule] = []
    /// The dates of all `RDATE` lines.
    public var additions: [DateValue] = []
    /// The dates of all `EXDATE` lines.
    public var exceptions: [DateValue] = []

    /// Parses a rule alone (`FREQ=WEEKLY;BYDAY=MO`, with or without `RRULE:`), or lines of `DTSTART`, `RRULE`, `RDATE`
    /// and `EXDATE`, folded or not.
    /// - Throws: ``RecurrenceError`` (permanent) with the column in the line that is wrong.
    public init(parsing text: String) throws(RecurrenceError) {
        var parser = RRuleParser()
        try parser.read(text)
        self = parser.result
    }

    init() {}
}
