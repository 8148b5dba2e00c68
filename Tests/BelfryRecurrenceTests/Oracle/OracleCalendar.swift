import BelfryRecurrence

/// A calendar by counting: every day from 1950 to 2120, each one day after the one before.
struct OracleCalendar: Sendable {
    struct Day: Sendable {
        var year: Int
        var month: Int
        var day: Int
        var dayOfYear: Int
        /// 1 is Sunday.
        var weekday: Int
    }

    static let shared = OracleCalendar()

    let days: [Day]
    /// Where 1 January 1970 is among them.
    let epoch: Int

    private init() {
        var days: [Day] = []
        // 1 January 1950 was a Sunday.
        var day = Day(year: 1950, month: 1, day: 1, dayOfYear: 1, weekday: 1)
        while day.year < 2120 {
            days.append(day)
            day.weekday = day.weekday % 7 + 1
            day.day += 1
            day.dayOfYear += 1
            if day.day > Self.length(day.year, day.month) {
                day.day = 1
                day.month += 1
                if day.month > 12 {
                    day = Day(year: day.year + 1, month: 1, day: 1, dayOfYear: 1, weekday: day.weekday)
                }
            }
        }
        self.days = days
        epoch = days.firstIndex { $0.year == 1970 } ?? 0
    }

    static func length(_ year: Int, _ month: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The first day of the week that a day is in.
    func weekStart(_ index: Int, _ weeks: WeekRules) -> Int {
        var start = index
        while days[start].weekday != weeks.firstWeekday { start -= 1 }
        return start
    }

    /// Week and week-year by the definition: a week that a new year cuts belongs to the new one when that has enough
    /// days of it.
    func weekOfYear(_ index: Int, _ weeks: WeekRules) -> (year: Int, week: Int) {
        func year(ofWeekFrom start: Int) -> Int {
            let last = days[start + 6].year
            let inLast = (start...start + 6).filter { days[$0].year == last }.count
            return inLast >= weeks.minimumDaysInFirstWeek ? last : days[start].year
        }
        var start = weekStart(index, weeks)
        let own = year(ofWeekFrom: start)
        var week = 1
        while year(ofWeekFrom: start - 7) == own {
            start -= 7
            week += 1
        }
        return (own, week)
    }

    /// The week of the month: the first is the one with enough days in the month; the days before it are week 0.
    func weekOfMonth(_ index: Int, _ weeks: WeekRules) -> Int {
        var start = weekStart(index, weeks)
        var week = 0
        while true {
            let inMonth = (start...start + 6).filter {
                days[$0].month == days[index].month && days[$0].year == days[index].year
            }.count
            if inMonth < weeks.minimumDaysInFirstWeek && start <= index && days[start].month != days[index].month {
                return week
            }
            if inMonth == 0 { return week }
            week += 1
            start -= 7
        }
    }
}
