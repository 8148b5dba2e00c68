/// A recurrence of iCalendar: RFC 5545, sections 3.3.10 and 3.8.5, with `SKIP` of RFC 7529.
///
/// Holds what the text says; ``compiled(start:zone:)`` makes a pattern of it. Printed, it is in its normal form: upper
/// case, parts and values in a fixed order, defaults left out.
public struct RRule: RecurrenceNotation {
    /// How often a rule repeats, before its interval.
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
    }

    /// What becomes of a day that its month lacks (RFC 7529).
    public enum Skip: String, Sendable, Hashable {
        /// It does not happen then.
        case omit = "OMIT"
        /// The last day before it.
        case backward = "BACKWARD"
        /// The first day after it.
        case forward = "FORWARD"
    }

    /// A weekday, 1 (Sunday) to 7, and which one of the month or year; `nil` is each.
    public struct Weekday: Sendable, Hashable {
        /// 1 (Sunday) to 7.
        public var weekday: Int
        /// Which one, from the end where it is negative; nil is each.
        public var ordinal: Int?
    }

    /// A date, or a date and time, as it is written: at UTC, in a named zone, or local.
    public struct DateValue: Sendable, Hashable {
        /// Which clock a written time is read on.
        public enum Clock: Sendable, Hashable {
            /// UTC, written with a Z.
            case utc
            /// That of a named zone.
            case zone(String)
            /// That of wherever it is read.
            case local
        }

        /// Seconds since 1970 of a clock that shows this, as if it were at UTC; midnight for a date.
        public var local: Int64
        /// True for a date without a time.
        public var isDate: Bool
        /// Which clock shows it.
        public var clock: Clock
    }

    /// When a rule ends.
    public enum End: Sendable, Hashable {
        /// After so many dates.
        case count(Int)
        /// Inclusive; a date includes all of its day.
        case until(DateValue)
    }

    /// One `RRULE`.
    public struct Rule: Sendable, Hashable {
        /// `FREQ`.
        public var frequency: Frequency
        /// `INTERVAL`, 1 or more.
        public var interval = 1
        /// `COUNT` or `UNTIL`; nil is without end.
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
        /// 1 (Sunday) to 7.
        public var weekStart = 2
        /// `SKIP`.
        public var skip = Skip.omit

        init(frequency: Frequency) {
            self.frequency = frequency
        }
    }

    /// `DTSTART`; nil where the text has none.
    public var start: DateValue?
    /// Each `RRULE`.
    public var rules: [Rule]
    /// Each `RDATE`.
    public var additions: [DateValue]
    /// Each `EXDATE`.
    public var exceptions: [DateValue]

    /// Reads a rule alone (`FREQ=WEEKLY;BYDAY=MO`, with or without `RRULE:`), or lines of `DTSTART`, `RRULE`, `RDATE`
    /// and `EXDATE`, folded or not.
    /// - Throws: ``RecurrenceError`` with the column in the line that is wrong.
    public init(parsing text: String) throws(RecurrenceError) {
        var parser = RRuleParser()
        try parser.read(text)
        self = parser.result
    }

    init() {
        rules = []
        additions = []
        exceptions = []
    }
}
