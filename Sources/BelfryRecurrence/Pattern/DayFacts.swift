/// The calendar's values for one day of a kind of year.
struct DayFacts {
    let month: Int
    let day: Int
    let dayOfYear: Int
    let monthLength: Int
    /// The length of the previous month.
    let lengthBefore: Int
    /// The weekday; 0 is Sunday.
    let weekday: Int
    let weekOfMonth: Int
    let weekOfYear: Int
    /// The number of the last week of the day's week-year.
    let weeksInYear: Int

    /// - Parameter dayOfYear: the day, counted from 1; 0 is 31 December of the previous year.
    init(_ kind: YearTable.Kind, dayOfYear: Int, weeks: WeekRules) {
        var month = 1
        var rest = dayOfYear
        if dayOfYear == 0 {
            month = 12
            rest = 31
        } else {
            while rest > Gregorian.length(ofMonth: month, leap: kind.leap) {
                rest -= Gregorian.length(ofMonth: month, leap: kind.leap)
                month += 1
            }
        }
        self.month = month
        day = rest
        let previousLength = kind.afterLeap ? 366 : 365
        self.dayOfYear = dayOfYear == 0 ? previousLength : dayOfYear
        monthLength = Gregorian.length(ofMonth: month, leap: kind.leap)
        lengthBefore = month == 1 ? 31 : Gregorian.length(ofMonth: month - 1, leap: kind.leap)
        weekday = (kind.newYear + dayOfYear - 1 + 7) % 7

        weekOfMonth =
            (rest - 1 - Self.firstWeek(from: (weekday - rest + 1 + 35) % 7, weeks) + 7) / 7
        // The first weeks of this year, the previous and the next one, in days from 1 January of this year.
        let previousNewYear = (kind.newYear - previousLength + 371) % 7
        let nextNewYear = (kind.newYear + kind.length) % 7
        let previous = Self.firstWeek(from: previousNewYear, weeks) - previousLength
        let current = Self.firstWeek(from: kind.newYear, weeks)
        let next = Self.firstWeek(from: nextNewYear, weeks) + kind.length
        let position = dayOfYear - 1
        if position < current {
            weekOfYear = (position - previous) / 7 + 1
            weeksInYear = (current - previous) / 7
        } else if position < next {
            weekOfYear = (position - current) / 7 + 1
            weeksInYear = (next - current) / 7
        } else {
            weekOfYear = (position - next) / 7 + 1
            // Whether the next year is a leap year depends on its number, which a kind doesn't include. The days here
            // are its first ones, and are counted from its start.
            weeksInYear = 0
        }
    }

    /// The first day of the first week of a month or year, in days from the first day of that period, −6 to 6.
    private static func firstWeek(from weekday: Int, _ weeks: WeekRules) -> Int {
        let back = (weekday - (weeks.firstWeekday - 1) + 7) % 7
        return 7 - back >= weeks.minimumDaysInFirstWeek ? -back : 7 - back
    }
}
