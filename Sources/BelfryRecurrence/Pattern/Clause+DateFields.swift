extension Clause {
    /// Compiles one valid set of components: fills in the components finer than the finest given one, and chooses the
    /// cheapest shape of its days.
    init(_ given: DateFields, policies: DatePolicies, weeks: WeekRules) {
        let filled = FilledFields(given)
        let fields = filled.fields
        hourIsGiven = filled.hourIsGiven
        times = TimeOfDaySet(fields)

        func list(_ value: Int?) -> [Int] { value.map { [$0] } ?? [] }
        var condition = DayCondition(
            months: list(fields.month),
            days: list(fields.day),
            yearDays: list(fields.dayOfYear),
            weekNumbers: list(fields.weekOfYear),
            weekOfMonth: fields.weekOfMonth,
            missingDate: filled.missingDateApplies ? policies.missingDate : .skip,
            firstOfWeek: filled.firstOfWeek,
            isOfOneYear: fields.year != nil
        )
        if fields.weekday != nil || fields.weekdayOrdinal != nil {
            let weekdays = fields.weekday.map { $0...$0 } ?? 1...7
            condition.weekdays = weekdays.map { RRule.Weekday(weekday: $0, ordinal: fields.weekdayOrdinal) }
        }
        days = DaySet(condition, weeks: weeks, span: Self.span(of: fields, weeks: weeks))
    }

    /// The range of days that era, year and week-year allow; `nil` if it is empty.
    private static func span(of fields: DateFields, weeks: WeekRules) -> ClosedRange<Int>? {
        if fields.era == 0 { return nil }
        var low = Gregorian.firstDay
        var high = Gregorian.lastDay
        if let year = fields.year {
            low = Gregorian.day(year: year, month: 1, day: 1)
            high = Gregorian.day(year: year, month: 12, day: 31)
        }
        if let year = fields.yearForWeekOfYear {
            low = max(low, Gregorian.weekYearStart(year, weeks: weeks))
            high = min(high, Gregorian.weekYearStart(year + 1, weeks: weeks) - 1)
        }
        return low <= high ? low...high : nil
    }

    /// The clause of a rule without any date.
    static let never = Clause(
        days: DaySet(span: nil),
        times: TimeOfDaySet(hours: [0], minutes: [0], seconds: [0]),
        hourIsGiven: true
    )
}

/// Components in which those finer than the finest given one are filled in.
struct FilledFields {
    var fields: DateFields
    /// Whether the hour is given, or is the midnight of components without a time.
    let hourIsGiven: Bool
    /// Whether only the first day of each matching week counts.
    let firstOfWeek: Bool
    /// Whether the policy for missing dates applies: only to a day of the month alone.
    let missingDateApplies: Bool

    init(_ given: DateFields) {
        var fields = given
        hourIsGiven = given.givesHour
        var firstOfWeek = false
        if !given.hasTime {
            if !given.hasDay {
                if given.hasWeek {
                    firstOfWeek = true
                } else if given.month != nil {
                    fields.day = 1
                } else if given.yearForWeekOfYear != nil, given.year == nil {
                    fields.weekOfYear = 1
                    firstOfWeek = true
                } else {
                    if given.year == nil { fields.year = 1 }
                    fields.month = 1
                    fields.day = 1
                }
            }
            fields.hour = 0
            fields.minute = 0
            fields.second = 0
        } else if given.hour != nil {
            fields.minute = given.minute ?? 0
            fields.second = given.second ?? 0
        } else if given.minute != nil {
            fields.second = given.second ?? 0
        }
        self.fields = fields
        self.firstOfWeek = firstOfWeek
        missingDateApplies =
            (fields.day ?? 0) > 28 && fields.weekday == nil && fields.weekdayOrdinal == nil && fields.dayOfYear == nil
    }
}

extension DateFields {
    /// Whether the hour is given, or is the midnight of components without a time.
    package var givesHour: Bool { hour != nil || !hasTime }
}
