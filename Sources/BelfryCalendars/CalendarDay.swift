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
    func value(of field: ForeignCalendarField, _ weeks: CalendarWeeks) -> Int {
        switch field {
        case .era: 0
        case .year: year
        case .month: month
        case .isLeapMonth: isLeapMonth ? 1 : 0
        case .day: day
        case .weekday: weeks.weekday
        case .dayOfYear: dayOfYear
        case .weekOfMonth: weeks.week(ofDay: day)
        case .weekOfYear: weekOfYear(weeks).week
        case .yearForWeekOfYear: weekOfYear(weeks).year
        }
    }

    /// The day's week, and the year that the week belongs to.
    private func weekOfYear(_ weeks: CalendarWeeks) -> (week: Int, year: Int) {
        let number = weeks.week(ofDay: dayOfYear)
        if number == 0 { return (weeks.week(ofDay: dayOfYear + lengthOfYearBefore), year - 1) }
        return weeks.isInFirstWeek(daysLeft: yearLength - dayOfYear) ? (1, year + 1) : (number, year)
    }
}

/// The weeks around a day.
struct CalendarWeeks {
    /// 1 for Sunday.
    let weekday: Int
    private let rules: WeekRules

    init(around day: Int, _ rules: WeekRules) {
        // 1 January 1970 was a Thursday.
        weekday = (day + 4).modulo(7) + 1
        self.rules = rules
    }

    /// Returns the week of a month or year that contains the day; 0 if that week belongs to the previous one.
    fileprivate func week(ofDay day: Int) -> Int {
        let firstPlace = (weekday - rules.firstWeekday - day + 1).modulo(7)
        return (day + firstPlace - 1) / 7 + (7 - firstPlace >= rules.minimumDaysInFirstWeek ? 1 : 0)
    }

    /// Whether the week is the first one of the next year, which begins after `daysLeft` days.
    fileprivate func isInFirstWeek(daysLeft: Int) -> Bool {
        let place = (weekday - rules.firstWeekday).modulo(7)
        return 6 - place - daysLeft >= rules.minimumDaysInFirstWeek
    }
}

extension Int {
    func modulo(_ other: Int) -> Int { (self % other + other) % other }
}
