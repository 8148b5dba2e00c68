/// The calendar's values for one day of a kind of year.
struct DayFacts {
    let kind: YearTable.Kind
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
        self.kind = kind
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
        self.dayOfYear = dayOfYear == 0 ? kind.lengthBefore : dayOfYear
        monthLength = Gregorian.length(ofMonth: month, leap: kind.leap)
        lengthBefore = month == 1 ? 31 : Gregorian.length(ofMonth: month - 1, leap: kind.leap)
        weekday = (kind.newYear + dayOfYear - 1 + 7) % 7

        weekOfMonth = (rest + 6 - weeks.firstWeek(from: (weekday - rest + 1 + 35) % 7)) / 7
        // The first days of the years that weeks belong to, in days from 1 January of this year.
        func weekYearStart(newYear: Int) -> Int {
            newYear + weeks.firstWeek(from: (kind.newYear + newYear + 371) % 7)
        }
        let current = weekYearStart(newYear: 0)
        let next = weekYearStart(newYear: kind.length)
        let position = dayOfYear - 1
        let start: Int
        let end: Int
        if position < current {
            (start, end) = (weekYearStart(newYear: -kind.lengthBefore), current)
        } else if position < next {
            (start, end) = (current, next)
        } else {
            (start, end) = (next, weekYearStart(newYear: kind.length + kind.lengthAfter))
        }
        weekOfYear = (position - start) / 7 + 1
        weeksInYear = (end - start) / 7
    }
}
