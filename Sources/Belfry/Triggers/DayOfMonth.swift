import BelfryRecurrence

extension CalendarTrigger {
    /// Which day of a month: a number, its last day, or one of its weekdays.
    ///
    /// ```swift
    /// let days: [CalendarTrigger.DayOfMonth] = [15, .lastDay, .first(.monday), .last(.friday)]
    /// ```
    public struct DayOfMonth: Sendable, Hashable, ExpressibleByIntegerLiteral {
        let fields: DateFields

        /// 1 to 31, or −1 (the last) to −31. A trigger with any other is refused, and
        /// ``BelfryRecurrence/DatePolicies/missingDate`` says what becomes of a number that a month lacks.
        public static func day(_ number: Int) -> DayOfMonth { DayOfMonth(fields: DateFields(day: number)) }
        /// The last day, whichever number it has.
        public static let lastDay = day(-1)

        /// The first such weekday of the month.
        public static func first(_ weekday: Weekday) -> DayOfMonth { nth(1, weekday) }
        /// The second such weekday of the month.
        public static func second(_ weekday: Weekday) -> DayOfMonth { nth(2, weekday) }
        /// The third such weekday of the month.
        public static func third(_ weekday: Weekday) -> DayOfMonth { nth(3, weekday) }
        /// The fourth such weekday of the month.
        public static func fourth(_ weekday: Weekday) -> DayOfMonth { nth(4, weekday) }
        /// Only some months have one; in the others nothing fires.
        public static func fifth(_ weekday: Weekday) -> DayOfMonth { nth(5, weekday) }
        /// The last such weekday of the month.
        public static func last(_ weekday: Weekday) -> DayOfMonth { nth(-1, weekday) }

        /// 1 to 5, or −1 (the last) to −5; a trigger with any other is refused.
        public static func nth(_ ordinal: Int, _ weekday: Weekday) -> DayOfMonth {
            DayOfMonth(fields: DateFields(weekday: weekday.rawValue, weekdayOrdinal: ordinal))
        }

        public init(integerLiteral number: Int) { self = .day(number) }

        private init(fields: DateFields) { self.fields = fields }
    }
}

extension CalendarTrigger {
    /// A date that each year has: `.may(10)`, `.november(.fourth(.thursday))`, `.february(.lastDay)`.
    public struct DateOfYear: Sendable, Hashable {
        let fields: DateFields

        /// 1 to 12; a trigger with any other is refused.
        public init(month: Int, _ day: DayOfMonth) {
            var fields = day.fields
            fields.month = month
            self.fields = fields
        }

        /// A day of January.
        public static func january(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 1, day) }
        /// A day of February.
        public static func february(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 2, day) }
        /// A day of March.
        public static func march(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 3, day) }
        /// A day of April.
        public static func april(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 4, day) }
        /// A day of May.
        public static func may(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 5, day) }
        /// A day of June.
        public static func june(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 6, day) }
        /// A day of July.
        public static func july(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 7, day) }
        /// A day of August.
        public static func august(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 8, day) }
        /// A day of September.
        public static func september(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 9, day) }
        /// A day of October.
        public static func october(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 10, day) }
        /// A day of November.
        public static func november(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 11, day) }
        /// A day of December.
        public static func december(_ day: DayOfMonth) -> DateOfYear { DateOfYear(month: 12, day) }
    }
}
