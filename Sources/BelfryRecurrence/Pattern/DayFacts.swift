/// The calendar's values for one day.
struct DayFacts {
    private let number: Int
    private let year: Int
    let month: Int
    let day: Int
    let dayOfYear: Int
    let yearLength: Int
    let monthLength: Int
    /// The weekday; 0 is Sunday.
    let weekday: Int

    init(_ number: Int) {
        self.number = number
        (year, month, day) = Gregorian.date(ofDay: number)
        let leap = Gregorian.isLeap(year)
        dayOfYear = number - Gregorian.day(year: year, month: 1, day: 1) + 1
        yearLength = leap ? 366 : 365
        monthLength = Gregorian.length(ofMonth: month, leap: leap)
        weekday = Gregorian.weekday(ofDay: number)
    }

    /// The facts of the day before.
    var before: DayFacts { DayFacts(number - 1) }

    func weekOfMonth(_ weeks: WeekRules) -> Int { weeks.week(ofDay: day, weekday: weekday) }

    /// Returns the week of the year, and the number of weeks that the year of this week has.
    func weekOfYear(_ weeks: WeekRules) -> (week: Int, count: Int) {
        var start = Gregorian.weekYearStart(year, weeks: weeks)
        var end = Gregorian.weekYearStart(year + 1, weeks: weeks)
        if number < start {
            (start, end) = (Gregorian.weekYearStart(year - 1, weeks: weeks), start)
        } else if number >= end {
            (start, end) = (end, Gregorian.weekYearStart(year + 2, weeks: weeks))
        }
        return ((number - start) / 7 + 1, (end - start) / 7)
    }
}
