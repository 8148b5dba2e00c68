import BelfryRecurrence

/// A day's fields in a calendar.
struct CalendarDay {
    let year: Int
    let dayOfYear: Int
    let month: Int
    let isLeapMonth: Bool
    let day: Int
    let monthLength: Int
    let yearLength: Int
    let lengthOfYearBefore: Int

    /// Returns the value of a field, in a calendar without eras.
    /// - Parameter number: The day, counted from 1 January 1970.
    func value(of field: ForeignCalendarField, on number: Int, _ weeks: WeekRules) -> Int {
        let weekday = Self.weekday(of: number)
        /// Returns the week of a month or year; 0 if it belongs to the previous one.
        func week(ofDay day: Int) -> Int { (day + 6 - weeks.firstWeek(from: (weekday - day).modulo(7))) / 7 }
        let daysLeft = yearLength - dayOfYear
        let isNextYears = weeks.firstWeek(from: (weekday + daysLeft).modulo(7)) + daysLeft < 0
        let weekOfYear = week(ofDay: dayOfYear)
        return switch field {
        case .era: 0
        case .year: year
        case .month: month
        case .isLeapMonth: isLeapMonth ? 1 : 0
        case .day: day
        case .weekday: weekday
        case .dayOfYear: dayOfYear
        case .weekOfMonth: week(ofDay: day)
        case .weekOfYear where weekOfYear == 0: week(ofDay: dayOfYear + lengthOfYearBefore)
        case .weekOfYear: isNextYears ? 1 : weekOfYear
        case .yearForWeekOfYear: weekOfYear == 0 ? year - 1 : isNextYears ? year + 1 : year
        }
    }

    /// Returns the weekday of a day, counted from 1 January 1970, which was a Thursday; 1 is Sunday.
    static func weekday(of number: Int) -> Int { (number + 4).modulo(7) + 1 }
}

extension Int {
    func modulo(_ other: Int) -> Int { (self % other + other) % other }
}
