/// A cron expression: five fields (minute, hour, day, month, weekday), or six with the seconds first.
///
/// Fields take names, lists, ranges (also around the end: `Nov-Mar`, `fri-mon`), steps and `?` for `*`. `L` is the last
/// day of the month, `5L` the last Friday, `5#2` the second one. `@daily` and similar shorthands are accepted. If both
/// day and weekday are restricted, either is enough, as in Vixie cron; a field that begins with `*` is not restricted.
/// The description writes names as numbers and expands shorthands.
///
/// ```swift
/// let weekdays = try CronExpression(parsing: "30 9 * * MON-FRI")
/// let next = weekdays.compiled(zone: .system()).next(after: Date())
/// ```
public struct CronExpression: RecurrenceNotation {
    let seconds: CronField?
    let minutes: CronField
    let hours: CronField
    let days: CronField
    let months: CronField
    let weekdays: CronField

    /// Parses an expression. Throws ``RecurrenceError/Code/invalidNotation`` (permanent) with the column of the error.
    public init(parsing text: String) throws(RecurrenceError) {
        let fields = try CronParser.fields(of: text)
        seconds = fields.count == 6 ? fields[0] : nil
        let rest = Array(fields.suffix(5))
        (minutes, hours, days, months, weekdays) = (rest[0], rest[1], rest[2], rest[3], rest[4])
    }

    public var description: String {
        [seconds, minutes, hours, days, months, weekdays].compactMap { $0?.description }.joined(separator: " ")
    }

    /// Compiles the expression to a pattern. A local time that a clock change skips is shifted forward, and a day that
    /// its month lacks is skipped. An expression for every hour fires in every real hour.
    public func compiled(zone: ZoneRules) -> DatePattern {
        let times = TimeOfDaySet(hours: hours.values, minutes: minutes.values, seconds: seconds?.values ?? [0])
        let clauses = daySets.filter { !$0.isEmpty }.map {
            Clause(days: $0, times: times, hourIsGiven: times.hours != TimeOfDaySet.allHours)
        }
        let policies = DatePolicies(missingDate: .skip)
        return DatePattern(clauses: clauses, zone: zone, policies: policies, defect: clauses.isEmpty ? defect : nil)
    }

    /// The fields that exclude each other, if no date has all of them.
    private var defect: String {
        let fields = [("day", days), ("month", months), ("weekday", weekdays)].filter { $0.1.description != "*" }
        return "cron: no date has \(fields.map { "\($0) \($1)" }.joined(separator: " and "))."
    }

    /// Whether a day or a weekday is enough; otherwise both must match.
    private var isEither: Bool { days.isRestricted && weekdays.isRestricted }

    /// Sets of days whose union is the days of the expression.
    private var daySets: [DaySet] {
        let months = months.values
        var sets = isEither ? [DaySet(months: months, days: days.values)] : []
        let days = isEither ? [] : days.values
        if !weekdays.values.isEmpty {
            sets.append(DaySet(months: months, days: days, weekdays: weekdays.values.map { $0 + 1 }))
        }
        for (ordinal, weekdays) in weekdays.ordinals {
            sets.append(DaySet(months: months, days: days, weekdays: weekdays.map { $0 + 1 }, ordinals: [ordinal]))
        }
        return sets
    }

    /// Sets of components with the same dates; nil if there are none, or too many.
    package var dateFields: [DateFields]? {
        // Days and weekdays together mean either, which one set can't express.
        guard !isEither else { return nil }
        let (months, days, weekdays) = (months.values, days.values, weekdays.values)
        let choices = [
            days.count < 31 ? days.map { DateFields(day: $0) } : [],
            weekdays.count < 7 ? weekdays.map { DateFields(weekday: $0 + 1) } : [],
            self.weekdays.ordinals.flatMap { ordinal, weekdays in
                weekdays.map { DateFields(weekday: $0 + 1, weekdayOrdinal: ordinal) }
            },
        ].filter { !$0.isEmpty }
        guard choices.count <= 1 else { return nil }
        return DateFields.combined(
            months: months.count < 12 ? months : [],
            days: choices.first ?? [],
            hours: hours.values,
            minutes: minutes.values,
            seconds: seconds?.values ?? [0]
        )
    }
}
