extension RRule.Rule {
    /// Returns the days that the parts of the rule allow. Parts that are left open come from the start.
    func days(start: Int, weeks: WeekRules) -> DaySet {
        let date = Gregorian.date(ofDay: start)
        var condition = DayCondition(
            months: months,
            days: monthDays,
            yearDays: yearDays,
            weekNumbers: weekNumbers,
            weekdays: weekdays
        )
        if weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty {
            if frequency == .weekly || frequency == .yearly && !weekNumbers.isEmpty {
                condition.weekdays = [RRule.Weekday(weekday: Gregorian.weekday(ofDay: start) + 1, ordinal: nil)]
            } else if [.monthly, .yearly].contains(frequency) {
                condition.days = [date.day]
            }
        }
        if frequency == .yearly, weekNumbers.isEmpty {
            condition.countsOrdinalsByYear = months.isEmpty
            // With a day of the month alone, the month comes from the start, as libical reads the RFC. dateutil allows
            // every month, but a yearly rule for the 15th means one day a year.
            if months.isEmpty, weekdays.isEmpty, yearDays.isEmpty { condition.months = [date.month] }
        }
        if [.monthly, .yearly].contains(frequency), condition.days.contains(where: { $0 > 28 }) {
            condition.missingDate = skip.missingDate
        }
        return DaySet(condition, weeks: weeks)
    }
}

extension RRule.Skip {
    fileprivate var missingDate: MissingDatePolicy {
        switch self {
        case .omit: .skip
        case .backward: .lastDayOfMonth
        case .forward: .nextDay
        }
    }
}
