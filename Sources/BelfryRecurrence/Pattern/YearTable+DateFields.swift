extension YearTable {
    /// Creates a table of the days that match components with a day of the year or a week.
    convenience init(_ filled: FilledFields, missingDate: MissingDatePolicy, weeks: WeekRules) {
        let fields = filled.fields
        self.init { kind, dayOfYear in
            let facts = DayFacts(kind, dayOfYear: dayOfYear, weeks: weeks)
            guard facts.matches(fields, missingDate: missingDate) else { return false }
            guard filled.firstOfWeek, facts.weekday != weeks.firstWeekday - 1 else { return true }
            // A week that a month or a year cuts off begins with its first remaining day.
            if dayOfYear == 1, fields.year != nil { return true }
            return !DayFacts(kind, dayOfYear: dayOfYear - 1, weeks: weeks).matches(fields, missingDate: missingDate)
        }
    }
}

extension DayFacts {
    func matches(_ fields: DateFields, missingDate: MissingDatePolicy) -> Bool {
        if let wanted = fields.dayOfYear, wanted != dayOfYear { return false }
        if let wanted = fields.weekday, wanted != weekday + 1 { return false }
        if let wanted = fields.weekOfYear, wanted != weekOfYear { return false }
        if let wanted = fields.weekOfMonth, wanted != weekOfMonth { return false }
        if let wanted = fields.weekdayOrdinal {
            let ordinal = wanted > 0 ? (day - 1) / 7 + 1 : -((monthLength - day) / 7 + 1)
            if wanted != ordinal { return false }
        }
        if let wanted = fields.day, wanted > 28, missingDate == .nextDay, day == 1, month > 1, lengthBefore < wanted {
            // This day replaces the missing day of the previous month.
            return fields.month.map { $0 == month - 1 } ?? true
        }
        if let wanted = fields.month, wanted != month { return false }
        if let wanted = fields.day {
            if wanted < 0 { return wanted == day - monthLength - 1 }
            return wanted == day || missingDate == .lastDayOfMonth && day == monthLength && wanted > monthLength
        }
        return true
    }
}
