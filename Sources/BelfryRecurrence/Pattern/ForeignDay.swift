/// One day in a calendar.
package struct ForeignDay {
    /// The day, counted from 1 January 1970.
    let number: Int
    private let date: ForeignDate
    private let calendar: any ForeignCalendar

    package init(_ number: Int, _ calendar: any ForeignCalendar) {
        self.number = number
        self.calendar = calendar
        date = calendar.date(of: number)
    }

    var month: Int { date.month }
    var day: Int { date.day }
    var dayOfYear: Int { date.dayOfYear }
    var monthLength: Int { calendar.monthLength(of: number) }
    private var yearLength: Int { calendar.yearLength(of: number) }

    /// The weekday, 1 (Sunday) to 7.
    package var weekday: Int { Gregorian.weekday(ofDay: number + Gregorian.epochDay) + 1 }

    package func weekOfMonth(_ weeks: WeekRules) -> Int { week(ofDay: day, weeks) }

    /// Returns the week of the year, and the year that the week belongs to.
    package func weekOfYear(_ weeks: WeekRules) -> (week: Int, year: Int) {
        let year = date.extendedYear
        let week = week(ofDay: dayOfYear, weeks)
        if week == 0 {
            let before = ForeignDay(number - dayOfYear, calendar).yearLength
            return (self.week(ofDay: dayOfYear + before, weeks), year - 1)
        }
        // The first week of the next year may begin on this day or before it.
        let daysLeft = yearLength - dayOfYear
        return weeks.firstWeek(from: (weekday + daysLeft) % 7) + daysLeft < 0 ? (1, year + 1) : (week, year)
    }

    /// Returns the week of a month or year of which this is the given day; 0 if the week belongs to the previous one.
    private func week(ofDay day: Int, _ weeks: WeekRules) -> Int {
        // A calendar from a table has no fields for other days.
        day < 1 ? 0 : weeks.week(ofDay: day, weekday: weekday - 1)
    }

    func matchesYear(_ fields: DateFields) -> Bool {
        fields.era.map { $0 == date.era } ?? true && fields.year.map { $0 == date.year } ?? true
    }

    func matchesMonth(_ fields: DateFields) -> Bool {
        guard matchesYear(fields) else { return false }
        return fields.month.map { $0 == month && !date.isLeapMonth } ?? true
    }

    func matchesWeeks(_ fields: DateFields, _ weeks: WeekRules) -> Bool {
        if let wanted = fields.weekOfMonth, wanted != weekOfMonth(weeks) { return false }
        guard fields.weekOfYear != nil || fields.yearForWeekOfYear != nil else { return true }
        let own = weekOfYear(weeks)
        return (fields.weekOfYear ?? own.week, fields.yearForWeekOfYear ?? own.year) == own
    }

    /// The first day after the month.
    var nextMonth: Int { max(number - day + 1 + monthLength, number + 1) }

    /// The first day after the year, or after the month if an era ends within the year, as Japanese eras do.
    var nextYear: Int {
        let next = max(number - dayOfYear + 1 + yearLength, number + 1)
        let last = calendar.date(of: next - 1)
        return last.era == date.era && last.year == date.year ? next : nextMonth
    }
}
