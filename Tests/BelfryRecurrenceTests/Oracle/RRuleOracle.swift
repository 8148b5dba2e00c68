import BelfryRecurrence

/// RFC 5545, 3.3.10 by its words, at UTC: every day (or, for hours and minutes, every minute) is asked whether the
/// parts of the rule allow it, days are grouped by the periods that count, and positions are taken from each group.
struct RRuleOracle {
    let rule: RRule.Rule
    /// Seconds since 1970, at UTC.
    let start: Int64
    private let calendar = OracleCalendar.shared

    init(_ rule: RRule.Rule, start: Int64) {
        self.rule = rule
        self.start = start
    }

    func dates(through end: Int64) -> [Int64] {
        let groups =
            [.hourly, .minutely].contains(rule.frequency) ? minuteGroups(through: end) : dayGroups(through: end)
        var dates: [Int64] = []
        for group in groups {
            if rule.positions.isEmpty {
                dates += group
            } else {
                let places = rule.positions.map { $0 > 0 ? $0 - 1 : group.count + $0 }
                dates += Set(places).filter { group.indices.contains($0) }.map { group[$0] }
            }
        }
        dates = dates.filter { $0 >= start && $0 <= end }.sorted()
        if case .count(let count) = rule.end { return Array(dates.prefix(count)) }
        return dates
    }

    private func dayGroups(through end: Int64) -> [[Int64]] {
        let startIndex = calendar.epoch + Int(start / 86_400)
        // From the first day of the period of the start to the last one of that of the end.
        let first = startIndex - 400
        let last = calendar.epoch + Int(end / 86_400) + 400
        let own = period(startIndex)
        var groups: [Int: [Int64]] = [:]
        for index in first...last where allows(index, startIndex) {
            let distance = period(index) - own
            guard distance >= 0, distance % rule.interval == 0 else { continue }
            for time in times() { groups[distance, default: []].append(Int64(index - calendar.epoch) * 86_400 + time) }
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    private func period(_ index: Int) -> Int {
        let day = calendar.days[index]
        switch rule.frequency {
        case .yearly: return day.year
        case .monthly: return day.year * 12 + day.month
        case .weekly: return calendar.weekStart(index, WeekRules(firstWeekday: rule.weekStart)) / 7
        default: return index
        }
    }

    private func times() -> [Int64] {
        let time = Int(start % 86_400)
        let hours = rule.hours.isEmpty ? [time / 3600] : rule.hours
        let minutes = rule.minutes.isEmpty ? [time / 60 % 60] : rule.minutes
        let seconds = rule.seconds.isEmpty ? [time % 60] : rule.seconds
        return hours.flatMap { hour in
            minutes.flatMap { minute in seconds.map { Int64(hour * 3600 + minute * 60 + $0) } }
        }.sorted()
    }

    private func minuteGroups(through end: Int64) -> [[Int64]] {
        let unit: Int64 = rule.frequency == .hourly ? 3600 : 60
        let minutes = rule.minutes.isEmpty && unit == 3600 ? [Int(start / 60 % 60)] : rule.minutes
        let seconds = rule.seconds.isEmpty ? [Int(start % 60)] : rule.seconds
        let startIndex = calendar.epoch + Int(start / 86_400)
        return stride(from: start - start % unit, through: end, by: Int(unit) * rule.interval).map { window in
            stride(from: window, to: window + unit, by: 60).flatMap { minute -> [Int64] in
                guard allows(calendar.epoch + Int(minute / 86_400), startIndex) else { return [] }
                guard rule.hours.isEmpty || rule.hours.contains(Int(minute / 3600 % 24)) else { return [] }
                guard minutes.isEmpty || minutes.contains(Int(minute / 60 % 60)) else { return [] }
                return seconds.map { minute + Int64($0) }
            }
        }
    }

    private func allows(_ index: Int, _ startIndex: Int) -> Bool {
        let day = calendar.days[index]
        let first = calendar.days[startIndex]
        let monthLength = OracleCalendar.length(day.year, day.month)
        let yearLength = OracleCalendar.length(day.year, 2) == 29 ? 366 : 365
        let isFree = rule.weekdays.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
        let isYearly = rule.frequency == .yearly
        if rule.months.isEmpty {
            // A yearly rule without days of the week or the year takes the month of its start.
            if isYearly, rule.weekdays.isEmpty, rule.yearDays.isEmpty, day.month != first.month { return false }
        } else if !rule.months.contains(day.month) {
            return false
        }
        if isFree, isYearly || rule.frequency == .monthly, day.day != first.day { return false }
        if isFree, rule.frequency == .weekly, day.weekday != first.weekday { return false }
        if !rule.monthDays.isEmpty, !rule.monthDays.contains(day.day),
            !rule.monthDays.contains(day.day - monthLength - 1)
        {
            return false
        }
        if !rule.yearDays.isEmpty,
            !rule.yearDays.contains(day.dayOfYear), !rule.yearDays.contains(day.dayOfYear - yearLength - 1)
        {
            return false
        }
        if rule.weekdays.isEmpty { return true }
        let ofYear = isYearly && rule.months.isEmpty
        let (place, length) = ofYear ? (day.dayOfYear, yearLength) : (day.day, monthLength)
        return rule.weekdays.contains { wanted in
            guard wanted.weekday == day.weekday else { return false }
            guard let ordinal = wanted.ordinal else { return true }
            let before = Array(stride(from: place, to: 0, by: -7)).count
            let after = Array(stride(from: place, through: length, by: 7)).count
            return ordinal == (ordinal > 0 ? before : -after)
        }
    }
}
