import Belfry
import BelfryRecurrence

extension SentenceWords {
    /// Returns the days and times: `every weekday at 9:25`.
    func text(_ dates: EverydayDates) -> String {
        let times = dates.times.map { text($0) }
        return daysText(dates) + atTimes.filled(["times": list(times)])
    }

    func text(_ time: TimeOfDay) -> String { self.time(time.hour).filled(["time": time.description]) }

    /// Returns a date with its year, for components that have one.
    func date(_ fields: DateFields) -> String {
        date.filled([
            "day": dateNumber(fields.day ?? 1), "month": months[(fields.month ?? 1) - 1], "year": "\(fields.year ?? 1)",
        ])
    }

    private func daysText(_ dates: EverydayDates) -> String {
        let isEach = dates.interval == 1
        let template: String
        var items: [String] = []
        switch dates.unit {
        case .weekly where isEach && Set(dates.days.map(\.weekday)) == Self.workdays: template = workdays
        case .weekly:
            template = isEach ? weekly : everyWeeks
            items = dates.days.map { (isEach ? eachWeekday : onWeekday).filled(["day": weekdayName($0)]) }
        case .monthly: (template, items) = (isEach ? monthly : everyMonths, dates.days.map(monthDay))
        case .yearly: (template, items) = (isEach ? yearly : everyYears, dates.days.map(yearDay))
        default: template = isEach ? daily : everyDays
        }
        return template.filled(["n": "\(dates.interval)", "days": list(items)])
    }

    private static let workdays = Set(Weekday.workdays.map { Int?.some($0.rawValue) })

    private func weekdayName(_ day: DateFields) -> String { weekdays[(day.weekday ?? 1) - 1] }

    private func monthDay(_ day: DateFields) -> String {
        if let number = day.day { return number == -1 ? lastDay : dayNumber(number) }
        let ordinal = day.weekdayOrdinal ?? 1
        return nthWeekday.filled([
            "ordinal": ordinals[ordinal > 0 ? ordinal - 1 : ordinals.count - 1], "day": weekdayName(day),
        ])
    }

    private func yearDay(_ day: DateFields) -> String {
        let month = (day.month ?? 1) - 1
        if let number = day.day, number > 0 {
            return dayAndMonth.filled(["day": dateNumber(number), "month": months[month]])
        }
        return dayOfMonth.filled(["day": monthDay(day), "month": (ofMonths ?? months)[month]])
    }
}
