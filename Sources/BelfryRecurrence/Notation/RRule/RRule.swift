/// A recurrence of iCalendar: RFC 5545, sections 3.3.10 and 3.8.5, with `SKIP` of RFC 7529.
///
/// Holds what the text says; ``compiled(start:zone:)`` makes a pattern of it. Printed, it is in its normal form: upper case,
/// parts and values in a fixed order, defaults left out.
public struct RRule: RecurrenceNotation {
    public enum Frequency: String, Sendable, Hashable, CaseIterable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// What becomes of a day that its month lacks (RFC 7529).
    public enum Skip: String, Sendable, Hashable {
        case omit = "OMIT"
        case backward = "BACKWARD"
        case forward = "FORWARD"
    }

    /// A weekday, 1 (Sunday) to 7, and which one of the month or year; `nil` is each.
    public struct Weekday: Sendable, Hashable {
        public var weekday: Int
        public var ordinal: Int?
    }

    /// A date, or a date and time, as it is written: at UTC, in a named zone, or local.
    public struct DateValue: Sendable, Hashable {
        public enum Clock: Sendable, Hashable {
            case utc
            case zone(String)
            case local
        }

        /// Seconds since 1970 of a clock that shows this, as if it were at UTC; midnight for a date.
        public var local: Int64
        public var isDate: Bool
        public var clock: Clock
    }

    public enum End: Sendable, Hashable {
        case count(Int)
        /// Inclusive; a date includes all of its day.
        case until(DateValue)
    }

    /// One `RRULE`.
    public struct Rule: Sendable, Hashable {
        public var frequency: Frequency
        public var interval = 1
        public var end: End?
        public var seconds: [Int] = []
        public var minutes: [Int] = []
        public var hours: [Int] = []
        public var weekdays: [Weekday] = []
        public var monthDays: [Int] = []
        public var yearDays: [Int] = []
        public var weekNumbers: [Int] = []
        public var months: [Int] = []
        public var positions: [Int] = []
        /// 1 (Sunday) to 7.
        public var weekStart = 2
        public var skip = Skip.omit

        init(frequency: Frequency) {
            self.frequency = frequency
        }
    }

    public var start: DateValue?
    public var rules: [Rule]
    public var additions: [DateValue]
    public var exceptions: [DateValue]

    /// Reads a rule alone (`FREQ=WEEKLY;BYDAY=MO`, with or without `RRULE:`), or lines of `DTSTART`, `RRULE`, `RDATE` and
    /// `EXDATE`, folded or not.
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
