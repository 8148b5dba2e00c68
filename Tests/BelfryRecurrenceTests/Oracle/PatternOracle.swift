import BelfryRecurrence

/// Rules 10 to 17 of the article exact-rules by their words: every local date of a span is compared with the
/// components, every time of day on those that match is mapped to its instants by trying all offsets, and the instants
/// are sorted. Nothing of the engine is used but the offset at an instant, which has tests of its own.
struct PatternOracle {
    let sets: [DateFields]
    let zone: ZoneRules
    let policies: DatePolicies
    let weeks: WeekRules
    let calendar = OracleCalendar.shared

    /// The instants after `start`, up to and including `end`.
    func dates(after start: Int64, through end: Int64) -> [Int64] {
        var found: Set<Int64> = []
        let first = calendar.epoch + Int((start / 86_400) - 4)
        let last = calendar.epoch + Int((end / 86_400) + 4)
        for fields in sets {
            for index in first...last where matches(index, fields) {
                let midnight = Int64(index - calendar.epoch) * 86_400
                for time in times(fields) {
                    let given = fields.hour != nil || (fields.minute == nil && fields.second == nil)
                    for instant in instants(ofLocal: midnight + time, hourIsGiven: given) { found.insert(instant) }
                }
            }
        }
        return found.filter { $0 > start && $0 <= end }.sorted()
    }

    private func times(_ fields: DateFields) -> [Int64] {
        let hours = fields.hour.map { [$0] } ?? (fields.minute == nil && fields.second == nil ? [0] : Array(0...23))
        let minutes = fields.minute.map { [$0] } ?? (fields.hour == nil && fields.second != nil ? Array(0...59) : [0])
        return hours.flatMap { hour in
            minutes.map { Int64(hour * 3600 + $0 * 60 + (fields.second ?? 0)) }
        }
    }

    // MARK: Dates

    private func matches(_ index: Int, _ fields: DateFields) -> Bool {
        let hasTime = fields.hour != nil || fields.minute != nil || fields.second != nil
        let hasDay =
            fields.day != nil || fields.dayOfYear != nil || fields.weekday != nil || fields.weekdayOrdinal != nil
        let hasWeek = fields.weekOfMonth != nil || fields.weekOfYear != nil
        var fields = fields
        if hasTime || hasDay { return equals(index, fields) }
        if hasWeek || (fields.yearForWeekOfYear != nil && fields.year == nil && fields.month == nil) {
            if !hasWeek { fields.weekOfYear = 1 }
            // The first day of each week that matches.
            let start = calendar.weekStart(index, weeks)
            return (start...start + 6).first { equals($0, fields) } == index
        }
        if fields.month == nil { fields.month = 1 }
        fields.day = 1
        return equals(index, fields)
    }

    private func equals(_ index: Int, _ fields: DateFields) -> Bool {
        if let day = fields.day, day > 28, fields.weekday == nil, fields.weekdayOrdinal == nil, fields.dayOfYear == nil
        {
            if equals(index, fields, day: day) { return true }
            switch policies.missingDate {
            case .skip: return false
            case .lastDayOfMonth:
                let today = calendar.days[index]
                let length = OracleCalendar.length(today.year, today.month)
                return day > length && equals(index, fields, day: length)
            case .nextDay:
                let yesterday = calendar.days[index - 1]
                let length = OracleCalendar.length(yesterday.year, yesterday.month)
                guard calendar.days[index].day == 1, length < day else { return false }
                if let year = fields.year, year != yesterday.year { return false }
                if let month = fields.month, month != yesterday.month { return false }
                var rest = fields
                (rest.year, rest.month, rest.day) = (nil, nil, nil)
                return equals(index, rest, day: nil)
            }
        }
        return equals(index, fields, day: fields.day)
    }

    private func equals(_ index: Int, _ fields: DateFields, day: Int?) -> Bool {
        let today = calendar.days[index]
        let length = OracleCalendar.length(today.year, today.month)
        if fields.era == 0 { return false }
        if let year = fields.year, year != today.year { return false }
        if let month = fields.month, month != today.month { return false }
        if let day, day != (day > 0 ? today.day : today.day - length - 1) { return false }
        if let dayOfYear = fields.dayOfYear, dayOfYear != today.dayOfYear { return false }
        if let weekday = fields.weekday, weekday != today.weekday { return false }
        if let ordinal = fields.weekdayOrdinal {
            // How many days of this weekday the month has, up to this one, and from this one on.
            let before = stride(from: today.day, to: 0, by: -7).reduce(0) { count, _ in count + 1 }
            let after = stride(from: today.day, through: length, by: 7).reduce(0) { count, _ in count + 1 }
            if ordinal != (ordinal > 0 ? before : -after) { return false }
        }
        if let week = fields.weekOfMonth, week != calendar.weekOfMonth(index, weeks) { return false }
        if fields.weekOfYear != nil || fields.yearForWeekOfYear != nil {
            let own = calendar.weekOfYear(index, weeks)
            if let week = fields.weekOfYear, week != own.week { return false }
            if let year = fields.yearForWeekOfYear, year != own.year { return false }
        }
        return true
    }

    // MARK: Instants

    private func instants(ofLocal local: Int64, hourIsGiven: Bool) -> [Int64] {
        // Every offset in reach, looked for in steps that no real rule falls between.
        var offsets: Set<Int> = []
        for instant in stride(from: local - 100_000, through: local + 100_000, by: 900) {
            offsets.insert(zone.offset(at: instant))
        }
        let found = offsets.map { local - Int64($0) }.filter { $0 + Int64(zone.offset(at: $0)) == local }.sorted()
        if !hourIsGiven { return found }
        if let first = found.first, let last = found.last {
            return [policies.repeatedTime == .first ? first : last]
        }
        return skipped(local).map { [$0] } ?? []
    }

    private func skipped(_ local: Int64) -> Int64? {
        for step in stride(from: local - 100_000, through: local + 100_000, by: 900) {
            let before = zone.offset(at: step)
            guard zone.offset(at: step + 900) != before else { continue }
            guard let change = (step...step + 900).first(where: { zone.offset(at: $0) != before }) else { continue }
            let after = zone.offset(at: change)
            guard change + Int64(before) <= local, local < change + Int64(after) else { continue }
            switch policies.missingTime {
            case .shiftForward: return local + Int64(after - before) - Int64(after)
            case .firstValid: return change
            case .shiftBackward: return local - Int64(after - before) - Int64(before)
            case .skip: return nil
            }
        }
        return nil
    }
}
