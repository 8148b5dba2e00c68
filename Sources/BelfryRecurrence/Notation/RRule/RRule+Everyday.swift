extension RRule {
    /// Creates a rule that counts days, weeks, months or years from a local date and time. Weeks keep its weekday,
    /// years its date.
    ///
    /// - Parameters:
    ///   - start: In seconds since 1970, as if the zone were UTC.
    ///   - day: The day of the month. It differs from that of the start if the start's month lacks it.
    package init(every interval: Int, _ unit: Frequency, from start: Int64, day: Int, missingDate: MissingDatePolicy) {
        var rule = Rule(frequency: unit)
        rule.interval = interval
        if unit == .monthly { rule.monthDays = [day] }
        if day > 28, unit == .monthly || unit == .yearly { rule.skip = Skip(missingDate) }
        self.start = DateValue(floating: start)
        rules = [rule]
    }
}

extension RRule.Skip {
    fileprivate init(_ policy: MissingDatePolicy) {
        switch policy {
        case .nextDay: self = .forward
        case .lastDayOfMonth: self = .backward
        case .skip: self = .omit
        }
    }
}
