import Belfry
import BelfryRecurrence

extension SentenceWords {
    /// Returns the days and times: `every weekday at 9:25`.
    func text(_ dates: EverydayDates) -> String {
        let times = dates.times.map { text($0) }
        return text(dates.days, interval: dates.interval) + atTimes.filled(["times": list(times)])
    }

    func text(_ time: TimeOfDay) -> String { self.time(time.hour).filled(["time": time.description]) }

    /// Returns a date with its year, for components that have one.
    func date(_ fields: DateFields) -> String {
        date.filled([
            "day": dateNumber(fields.day ?? 1), "month": months[(fields.month ?? 1) - 1], "year": "\(fields.year ?? 1)",
        ])
    }

    private func text(_ days: EverydayDates.Days, interval: Int) -> String {
        let isEach = interval == 1
        let template: String
        let items: [String]
        switch days {
        case .daily: (template, items) = (isEach ? daily : everyDays, [])
        case .weekly(let weekdays) where isEach && Set(weekdays) == Weekday.workdays: (template, items) = (workdays, [])
        case .weekly(let weekdays):
            template = isEach ? weekly : everyWeeks
            items = weekdays.map { (isEach ? eachWeekday : onWeekday).filled(["day": name($0)]) }
        case .monthly(let days): (template, items) = (isEach ? monthly : everyMonths, days.map(text))
        case .yearly(let dates): (template, items) = (isEach ? yearly : everyYears, dates.map(text))
        }
        return template.filled(["n": "\(interval)", "days": list(items)])
    }

    private func name(_ weekday: Weekday) -> String { weekdays[weekday.rawValue - 1] }

    private func text(_ day: EverydayDates.Day) -> String {
        switch day {
        case .number(-1): lastDay
        case .number(let number): dayNumber(number)
        case .nth(let ordinal, let weekday):
            nthWeekday.filled([
                "ordinal": ordinals[ordinal > 0 ? ordinal - 1 : ordinals.count - 1], "day": name(weekday),
            ])
        }
    }

    private func text(_ date: EverydayDates.YearDay) -> String {
        if case .number(let number) = date.day, number > 0 {
            return dayAndMonth.filled(["day": dateNumber(number), "month": months[date.month - 1]])
        }
        return dayOfMonth.filled(["day": text(date.day), "month": (ofMonths ?? months)[date.month - 1]])
    }
}
