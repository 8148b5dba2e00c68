/// A condition on days, in lists of values: what components and the parts of an RRULE ask for. An empty list allows any
/// value; negative ones count from the end.
struct DayCondition {
    var months: [Int] = []
    /// Days of the month.
    var days: [Int] = []
    var yearDays: [Int] = []
    /// Weeks of the year.
    var weekNumbers: [Int] = []
    var weekOfMonth: Int?
    /// Weekdays, each with its ordinal in the month or year, if it has one.
    var weekdays: [RRule.Weekday] = []
    var countsOrdinalsByYear = false
    var missingDate = MissingDatePolicy.skip
    /// Whether only the first day of each matching week counts.
    var firstOfWeek = false
    /// Whether all days are in one year, which cuts off the week in which it begins.
    var isOfOneYear = false
}

extension DaySet {
    /// Creates the set of the days in a span that match a condition, in its cheapest shape.
    init(
        _ condition: DayCondition,
        weeks: WeekRules,
        span: ClosedRange<Int>? = Gregorian.firstDay...Gregorian.lastDay
    ) {
        guard condition.yearDays.isEmpty, condition.weekNumbers.isEmpty, condition.weekOfMonth == nil,
            let ordinals = condition.ordinals
        else {
            self.init(span: span, table: YearTable(condition, weeks: weeks))
            return
        }
        self.init(
            months: condition.months,
            days: condition.days,
            weekdays: condition.weekdays.map(\.weekday),
            ordinals: ordinals,
            missingDate: condition.missingDate,
            span: span
        )
    }
}

extension DayCondition {
    /// The ordinals in the month, if every weekday is combined with every one of them; else `nil`.
    fileprivate var ordinals: [Int]? {
        guard weekdays.contains(where: { $0.ordinal != nil }) else { return [] }
        let ordinals = Set(weekdays.map(\.ordinal))
        let isProduct = weekdays.count == ordinals.count * Set(weekdays.map(\.weekday)).count
        return isProduct && !countsOrdinalsByYear && !ordinals.contains(nil) ? ordinals.compactMap { $0 } : nil
    }
}

extension DayFacts {
    func match(_ condition: DayCondition, _ weeks: WeekRules) -> Bool {
        guard matchDay(condition, weeks) else { return false }
        // A week that a month or a year cuts off begins with its first remaining day.
        let isFirst = weekday == weeks.firstWeekday - 1 || dayOfYear == 1 && condition.isOfOneYear
        guard condition.firstOfWeek, !isFirst else { return true }
        return !before.matchDay(condition, weeks)
    }

    private func matchDay(_ condition: DayCondition, _ weeks: WeekRules) -> Bool {
        guard matchDayAndMonth(condition), Self.contains(condition.yearDays, dayOfYear, of: yearLength),
            condition.weekOfMonth.map({ $0 == weekOfMonth(weeks) }) ?? true
        else { return false }
        return matchWeekday(condition) && matchWeek(condition, weeks)
    }

    private func matchWeek(_ condition: DayCondition, _ weeks: WeekRules) -> Bool {
        if condition.weekNumbers.isEmpty { return true }
        let (week, count) = weekOfYear(weeks)
        return Self.contains(condition.weekNumbers, week, of: count)
    }

    private func matchWeekday(_ condition: DayCondition) -> Bool {
        if condition.weekdays.isEmpty { return true }
        let (place, count) = condition.countsOrdinalsByYear ? (dayOfYear, yearLength) : (day, monthLength)
        return condition.weekdays.contains { wanted in
            guard wanted.weekday == weekday + 1 else { return false }
            guard let ordinal = wanted.ordinal else { return true }
            return ordinal == (place - 1) / 7 + 1 || ordinal == -((count - place) / 7 + 1)
        }
    }

    /// Whether the day has one of the months and days of the month, or replaces a day that its month lacks.
    private func matchDayAndMonth(_ condition: DayCondition) -> Bool {
        let (days, missingDate) = (condition.days, condition.missingDate)
        func has(_ month: Int) -> Bool { condition.months.isEmpty || condition.months.contains(month) }
        if missingDate == .nextDay, day == 1, has(before.month), days.contains(where: { $0 > before.day }) {
            return true
        }
        guard has(month) else { return false }
        if Self.contains(days, day, of: monthLength) { return true }
        return missingDate == .lastDayOfMonth && day == monthLength && days.contains { $0 > monthLength }
    }

    private static func contains(_ list: [Int], _ number: Int, of count: Int) -> Bool {
        list.isEmpty || list.contains(number) || list.contains(number - count - 1)
    }
}
