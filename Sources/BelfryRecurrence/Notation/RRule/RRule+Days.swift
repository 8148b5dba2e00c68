extension RRule.Rule {
    /// Returns the days that the parts of the rule allow. Parts that are left open come from the start.
    func days(start: Int, weeks: WeekRules) -> RuleDays {
        let date = Gregorian.date(ofDay: start)
        let weekday = RRule.Weekday(weekday: Gregorian.weekday(ofDay: start) + 1, ordinal: nil)
        var rule = self
        let choosesDays = !(weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty)
        switch frequency {
        case .yearly where !weekNumbers.isEmpty:
            if !choosesDays { rule.weekdays = [weekday] }
            return .weeks(WeekNumberDays(weekNumbers, weeks: weeks, filter: rule.daySet(ordinalsOfMonth: true)))
        case .yearly:
            // With a day of the month alone, the month comes from the start, as libical reads the RFC. dateutil allows
            // every month, but a yearly rule for the 15th means one day a year.
            if months.isEmpty, weekdays.isEmpty, yearDays.isEmpty { rule.months = [date.month] }
            if !choosesDays { rule.monthDays = [date.day] }
            return .set(rule.daySet(ordinalsOfMonth: !months.isEmpty))
        case .monthly:
            if !choosesDays { rule.monthDays = [date.day] }
            return .set(rule.daySet(ordinalsOfMonth: true))
        case .weekly:
            if !choosesDays { rule.weekdays = [weekday] }
            return .set(rule.daySet(ordinalsOfMonth: true))
        default:
            return .set(rule.daySet(ordinalsOfMonth: true))
        }
    }

    private var missingDate: MissingDatePolicy {
        guard [.monthly, .yearly].contains(frequency), monthDays.contains(where: { $0 > 28 }) else { return .skip }
        return switch skip {
        case .omit: .skip
        case .backward: .lastDayOfMonth
        case .forward: .nextDay
        }
    }

    private func daySet(ordinalsOfMonth: Bool) -> DaySet {
        let monthMask = months.isEmpty ? DaySet.allMonths : months.reduce(0) { $0 | 1 << UInt16($1 - 1) }
        guard yearDays.isEmpty, let (weekdayMask, ordinals) = combinableWeekdays(ordinalsOfMonth) else {
            return DaySet(table: YearTable(self, ordinalsOfMonth: ordinalsOfMonth, missingDate: missingDate))
        }
        var set = DaySet(months: monthMask, weekdays: weekdayMask, missingDate: missingDate)
        if !monthDays.isEmpty {
            set.days = monthDays.reduce(0) { $1 > 0 ? $0 | 1 << UInt32($1 - 1) : $0 }
            set.daysFromEnd = monthDays.reduce(0) { $1 < 0 ? $0 | 1 << UInt32(31 + $1) : $0 }
        }
        if !ordinals.isEmpty {
            let week: UInt32 = 0x7F
            set.ordinals = ordinals.reduce(0) {
                $1 > 0 && $1 <= 5 ? $0 | week << UInt32(7 * ($1 - 1)) & DaySet.allDays : $0
            }
            set.ordinalsFromEnd = ordinals.reduce(0) {
                $1 < 0 && $1 >= -5 ? $0 | (week << 24) >> UInt32(7 * (-$1 - 1)) : $0
            }
        }
        set.normalize()
        return set
    }

    /// Weekdays and ordinals as masks, if every weekday is combined with every ordinal; else `nil`.
    private func combinableWeekdays(_ ordinalsOfMonth: Bool) -> (weekdays: UInt8, ordinals: [Int])? {
        if weekdays.isEmpty { return (DaySet.allWeekdays, []) }
        let mask = weekdays.reduce(UInt8(0)) { $0 | 1 << UInt8($1.weekday - 1) }
        let ordinals = Set(weekdays.map(\.ordinal))
        if ordinals == [nil] { return (mask, []) }
        guard ordinalsOfMonth, !ordinals.contains(nil), weekdays.count == ordinals.count * mask.nonzeroBitCount else {
            return nil
        }
        return (mask, ordinals.compactMap { $0 })
    }
}

extension YearTable {
    /// Creates a table of the days that the parts of a rule allow.
    convenience init(_ rule: RRule.Rule, ordinalsOfMonth: Bool, missingDate: MissingDatePolicy) {
        self.init { kind, dayOfYear in
            let facts = DayFacts(kind, dayOfYear: dayOfYear, weeks: .iso8601)
            guard facts.isOneOf(monthDays: rule.monthDays, months: rule.months, missingDate: missingDate) else {
                return false
            }
            if !rule.yearDays.isEmpty,
                !rule.yearDays.contains(dayOfYear), !rule.yearDays.contains(dayOfYear - kind.length - 1)
            {
                return false
            }
            if rule.weekdays.isEmpty { return true }
            let (place, count) = ordinalsOfMonth ? (facts.day, facts.monthLength) : (dayOfYear, kind.length)
            return rule.weekdays.contains { wanted in
                guard wanted.weekday == facts.weekday + 1 else { return false }
                guard let ordinal = wanted.ordinal else { return true }
                return ordinal == (place - 1) / 7 + 1 || ordinal == -((count - place) / 7 + 1)
            }
        }
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
