/// A cron expression: five fields (minute, hour, day, month, weekday), or six with the seconds first.
///
/// Fields take names, lists, ranges (also around the end: `Nov-Mar`, `fri-mon`), steps and `?` for `*`. `L` is the last
/// day of the month, `5L` the last Friday, `5#2` the second one. `@daily` and similar shorthands are accepted. If both
/// day and weekday are restricted, either is enough, as in Vixie cron; a field that begins with `*` is not restricted.
/// The description writes names as numbers and expands shorthands.
public struct CronExpression: RecurrenceNotation {
    let seconds: CronField?
    let minutes: CronField
    let hours: CronField
    let days: CronField
    let months: CronField
    let weekdays: CronField

    /// Parses an expression. Throws ``RecurrenceError/Code/invalidNotation`` with the column of the error.
    public init(parsing text: String) throws(RecurrenceError) {
        var parser = try CronParser(text)
        let fields = try parser.fields()
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
        let hourMask = UInt32(hours.mask)
        let times = TimeOfDaySet(hours: hourMask, minutes: minutes.mask, seconds: seconds?.mask ?? 1)
        let clauses = daySets.filter { !$0.isEmpty }.map {
            Clause(days: $0, times: times, hourIsGiven: hourMask != TimeOfDaySet.allHours)
        }
        return DatePattern(clauses: clauses, zone: zone, policies: DatePolicies(missingDate: .skip))
    }

    /// Sets of days whose union is the days of the expression.
    private var daySets: [DaySet] {
        let ofMonth = monthSet
        let dayMask = UInt32(days.mask >> 1)
        guard days.isRestricted, weekdays.isRestricted else {
            return weekdaySets.map { set in
                var set = set
                set.days = dayMask
                set.daysFromEnd = days.daysFromEnd
                set.normalize()
                return set
            }
        }
        var byDay = ofMonth
        byDay.days = dayMask
        byDay.daysFromEnd = days.daysFromEnd
        byDay.normalize()
        return [byDay] + weekdaySets
    }

    private var monthSet: DaySet { DaySet(months: UInt16(months.mask >> 1)) }

    private var weekdaySets: [DaySet] {
        var sets: [DaySet] = []
        if weekdays.mask != 0 {
            var set = monthSet
            set.weekdays = UInt8(weekdays.mask)
            sets.append(set)
        }
        let week: UInt32 = 0x7F
        for (ordinal, mask) in weekdays.ordinals.sorted(by: { $0.key < $1.key }) {
            var set = monthSet
            set.weekdays = UInt8(mask)
            set.ordinals = ordinal > 0 ? week << UInt32(7 * (ordinal - 1)) & DaySet.allDays : 0
            set.ordinalsFromEnd = ordinal < 0 ? week << 24 : 0
            sets.append(set)
        }
        return sets.map { set in
            var set = set
            set.normalize()
            return set
        }
    }
}
