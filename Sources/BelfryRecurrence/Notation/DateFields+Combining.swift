extension DateFields {
    /// The maximum number of sets; a sentence with more is unreadable.
    private static let mostCombined = 70

    /// Returns one set for each combination of a month, a day and a time. A trigger's sentence is made from them in the
    /// same way for every notation.
    /// - Parameters:
    ///   - months: the months; an empty list allows any, as it does for days.
    ///   - days: the days of a month, or the weekdays.
    ///   - hours: the hours. All of them are no time of day.
    /// - Returns: nil if there are none or too many.
    static func combined(
        months: [Int],
        days: [DateFields],
        hours: [Int],
        minutes: [Int],
        seconds: [Int]
    ) -> [DateFields]? {
        let months: [Int?] = months.isEmpty ? [nil] : months
        let days = days.isEmpty ? [DateFields()] : days
        let count = months.count * days.count * hours.count * minutes.count * seconds.count
        guard (1...mostCombined).contains(count), hours.count < 24 else { return nil }
        let times = hours.flatMap { hour in minutes.flatMap { minute in seconds.map { (hour, minute, $0) } } }
        var sets: [DateFields] = []
        for month in months {
            for day in days {
                for time in times {
                    var fields = day
                    fields.month = month
                    (fields.hour, fields.minute, fields.second) = time
                    sets.append(fields)
                }
            }
        }
        return sets
    }

    /// Returns the ordinal that the weekdays have among these days if the days are the first, second … seven of a
    /// month.
    package static func weekdayOrdinal(ofDays days: [Int]) -> Int? {
        let days = days.sorted()
        guard days.count == 7, let first = days.first, days == Array(first...first + 6) else { return nil }
        if first == -7 { return -1 }
        return first > 0 && first % 7 == 1 ? first / 7 + 1 : nil
    }
}

extension CalendarExpression {
    /// Sets of components with the same dates; nil if there are none, or too many.
    package var dateFields: [DateFields]? {
        guard year == nil, let hour, let minute, let second, second.isWhole else { return nil }
        var fields = days.map { DateFields(day: $0) }
        if weekdays != nil {
            let ordinal = DateFields.weekdayOrdinal(ofDays: days)
            guard day == nil || ordinal != nil else { return nil }
            fields = weekdayNumbers.map { DateFields(weekday: $0, weekdayOrdinal: ordinal) }
        }
        return DateFields.combined(
            months: months,
            days: fields,
            hours: hour.values(through: 23),
            minutes: minute.values(through: 59),
            seconds: second.wholeSeconds
        )
    }
}

extension RRule.Rule {
    /// Sets of components with the dates of the rule from a start, ignoring its interval and its end. Nil if there are
    /// none, or too many.
    package func dateFields(from start: DateFields) -> [DateFields]? {
        guard !frequency.isOfTime, yearDays.isEmpty, weekNumbers.isEmpty, positions.isEmpty else { return nil }
        var months = months.sorted()
        var days = monthDays.sorted().map { DateFields(day: $0) }
        if !weekdays.isEmpty {
            // A day of the month and a weekday must both match, which sets for sentences don't express.
            let isCounted = weekdays.contains { $0.ordinal != nil }
            guard days.isEmpty, !isCounted || weekdays.allSatisfy({ $0.ordinal != nil }) else { return nil }
            // Without a month, ordinals count from the beginning of the year.
            if isCounted, frequency == .yearly, months.isEmpty { return nil }
            let sorted = isCounted ? weekdays : weekdays.sorted { $0.weekday < $1.weekday }
            days = sorted.map { DateFields(weekday: $0.weekday, weekdayOrdinal: $0.ordinal) }
        } else if days.isEmpty {
            // Components that the rule leaves open come from the start.
            switch frequency {
            case .weekly: days = [DateFields(weekday: start.weekday)]
            case .monthly, .yearly: days = [DateFields(day: start.day)]
            default: break
            }
        }
        // So does the month of a yearly rule, even if the rule names a day of the month: see `days(start:weeks:)`.
        if frequency == .yearly, months.isEmpty, weekdays.isEmpty { months = [start.month].compactMap { $0 } }
        return DateFields.combined(
            months: months,
            days: days,
            hours: hours.isEmpty ? [start.hour ?? 0] : hours.sorted(),
            minutes: minutes.isEmpty ? [start.minute ?? 0] : minutes.sorted(),
            seconds: seconds.isEmpty ? [start.second ?? 0] : seconds.sorted()
        )
    }
}
