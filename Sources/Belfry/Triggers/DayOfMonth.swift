import BelfryRecurrence

extension CalendarTrigger {
    /// A day of a month: a number, its last day, or one of its weekdays.
    ///
    /// ```swift
    /// let days: [CalendarTrigger.DayOfMonth] = [15, .lastDay, .first(.monday), .last(.friday)]
    /// ```
    public struct DayOfMonth: Sendable, Hashable, ExpressibleByIntegerLiteral {
        let fields: DateFields

        /// Returns the day with a number, 1 to 31, or −1 (the last) to −31; `add` refuses others.
        /// ``BelfryRecurrence/DatePolicies/missingDate`` says what happens in months that lack the day.
        public static func day(_ number: Int) -> DayOfMonth { DayOfMonth(fields: DateFields(day: number)) }
        /// The last day, regardless of its number.
        public static let lastDay = day(-1)

        /// Returns the first such weekday of the month.
        public static func first(_ weekday: Weekday) -> DayOfMonth { nth(1, weekday) }
        /// Returns the second such weekday of the month.
        public static func second(_ weekday: Weekday) -> DayOfMonth { nth(2, weekday) }
        /// Returns the third such weekday of the month.
        public static func third(_ weekday: Weekday) -> DayOfMonth { nth(3, weekday) }
        /// Returns the fourth such weekday of the month.
        public static func fourth(_ weekday: Weekday) -> DayOfMonth { nth(4, weekday) }
        /// Returns the fifth such weekday, which only some months have; nothing fires in the others.
        public static func fifth(_ weekday: Weekday) -> DayOfMonth { nth(5, weekday) }
        /// Returns the last such weekday of the month.
        public static func last(_ weekday: Weekday) -> DayOfMonth { nth(-1, weekday) }

        /// Returns the n-th such weekday: 1 to 5, or −1 (the last) to −5; `add` refuses others.
        public static func nth(_ ordinal: Int, _ weekday: Weekday) -> DayOfMonth {
            DayOfMonth(fields: DateFields(weekday: weekday.rawValue, weekdayOrdinal: ordinal))
        }

        public init(integerLiteral number: Int) { self = .day(number) }

        private init(fields: DateFields) { self.fields = fields }
    }
}

extension CalendarTrigger {
    /// A date of every year: `.may(10)`, `.november(.fourth(.thursday))`, `.february(.lastDay)`.
    public struct DateOfYear: Sendable, Hashable {
        let fields: DateFields

        /// Creates a date; `add` refuses a month that is not 1 to 12.
        public init(month: Int, _ day: DayOfMonth) {
            var fields = day.fields
            fields.month = month
            self.fields = fields
        }

        /// Returns a day of January.
        public static func january(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 1, day) }
        /// Returns a day of February.
        public static func february(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 2, day) }
        /// Returns a day of March.
        public static func march(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 3, day) }
        /// Returns a day of April.
        public static func april(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 4, day) }
        /// Returns a day of May.
        public static func may(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 5, day) }
        /// Returns a day of June.
        public static func june(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 6, day) }
        /// Returns a day of July.
        public static func july(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 7, day) }
        /// Returns a day of August.
        public static func august(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 8, day) }
        /// Returns a day of September.
        public static func september(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 9, day) }
        /// Returns a day of October.
        public static func october(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 10, day) }
        /// Returns a day of November.
        public static func november(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 11, day) }
        /// Returns a day of December.
        public static func december(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 12, day) }
    }
}
