extension RRule.Rule {
    /// Returns the days that the parts of the rule allow. Parts that are left open come from the start.
    func days(start: Int, weeks: WeekRules) -> DaySet {
        let date = Gregorian.date(ofDay: start)
        var rule = self
        let choosesDays = !(weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty)
        let isByWeek = frequency == .weekly || frequency == .yearly && !weekNumbers.isEmpty
        if isByWeek, !choosesDays {
            rule.weekdays = [RRule.Weekday(weekday: Gregorian.weekday(ofDay: start) + 1, ordinal: nil)]
        } else if [.monthly, .yearly].contains(frequency), !choosesDays {
            rule.monthDays = [date.day]
        }
        guard frequency == .yearly, weekNumbers.isEmpty else { return rule.daySet(weeks, ordinalsOfMonth: true) }
        // With a day of the month alone, the month comes from the start, as libical reads the RFC. dateutil allows
        // every month, but a yearly rule for the 15th means one day a year.
        if months.isEmpty, weekdays.isEmpty, yearDays.isEmpty { rule.months = [date.month] }
        return rule.daySet(weeks, ordinalsOfMonth: !months.isEmpty)
    }

    private var missingDate: MissingDatePolicy {
        guard [.monthly, .yearly].contains(frequency), monthDays.contains(where: { $0 > 28 }) else { return .skip }
        return switch skip {
        case .omit: .skip
        case .backward: .lastDayOfMonth
        case .forward: .nextDay
        }
    }

    private func daySet(_ weeks: WeekRules, ordinalsOfMonth: Bool) -> DaySet {
        guard yearDays.isEmpty, weekNumbers.isEmpty, let ordinals = combinableOrdinals(ordinalsOfMonth) else {
            let table = YearTable(self, weeks, ordinalsOfMonth: ordinalsOfMonth, missingDate: missingDate)
            return DaySet(table: table)
        }
        return DaySet(
            months: months,
            days: monthDays,
            weekdays: weekdays.map(\.weekday),
            ordinals: ordinals,
            missingDate: missingDate
        )
    }

    /// The ordinals, if every weekday is combined with every one of them; else `nil`.
    private func combinableOrdinals(_ ordinalsOfMonth: Bool) -> [Int]? {
        let ordinals = Set(weekdays.map(\.ordinal))
        if ordinals.isSubset(of: [nil]) { return [] }
        let isProduct = weekdays.count == ordinals.count * Set(weekdays.map(\.weekday)).count
        return ordinalsOfMonth && isProduct && !ordinals.contains(nil) ? ordinals.compactMap { $0 } : nil
    }
}

extension YearTable {
    /// Creates a table of the days that the parts of a rule allow.
    convenience init(
        _ rule: RRule.Rule,
        _ weeks: WeekRules,
        ordinalsOfMonth: Bool,
        missingDate: MissingDatePolicy
    ) {
        self.init { kind, dayOfYear in
            let facts = DayFacts(kind, dayOfYear: dayOfYear, weeks: weeks)
            guard facts.isOneOf(monthDays: rule.monthDays, months: rule.months, missingDate: missingDate) else {
                return false
            }
            guard Self.contains(rule.yearDays, dayOfYear, of: kind.length),
                Self.contains(rule.weekNumbers, facts.weekOfYear, of: facts.weeksInYear)
            else { return false }
            if rule.weekdays.isEmpty { return true }
            let (place, count) = ordinalsOfMonth ? (facts.day, facts.monthLength) : (dayOfYear, kind.length)
            return rule.weekdays.contains { wanted in
                guard wanted.weekday == facts.weekday + 1 else { return false }
                guard let ordinal = wanted.ordinal else { return true }
                return ordinal == (place - 1) / 7 + 1 || ordinal == -((count - place) / 7 + 1)
            }
        }
    }

    /// Whether a list has a number, counted from the start or, if negative, from the end; an empty list has all.
    private static func contains(_ list: [Int], _ number: Int, of count: Int) -> Bool {
        list.isEmpty || list.contains(number) || list.contains(number - count - 1)
    }
}

extension DayFacts {
    /// Whether the day has one of the months and days of the month, or replaces a day that its month lacks.
    fileprivate func isOneOf(monthDays: [Int], months: [Int], missingDate: MissingDatePolicy) -> Bool {
        func has(_ month: Int) -> Bool { months.isEmpty || months.contains(month) }
        if missingDate == .nextDay, day == 1, month > 1, has(month - 1),
            monthDays.contains(where: { $0 > lengthBefore })
        {
            return true
        }
        guard has(month) else { return false }
        if monthDays.isEmpty || monthDays.contains(day) || monthDays.contains(day - monthLength - 1) { return true }
        return missingDate == .lastDayOfMonth && day == monthLength && monthDays.contains { $0 > monthLength }
    }
}
