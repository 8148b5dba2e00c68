/// The values that a rule has for each component, for rules that consist of such values alone. They are turned into
/// ``DateFields``, from which a trigger's sentence is made in the same way for every notation.
struct FieldLists {
    /// The months; nil allows any, as it does for days and weekdays.
    var months: [Int]?
    var days: [Int]?
    var weekdays: [Int]?
    /// The weekdays by their ordinal in the month.
    var ordinals: [(weekday: Int, ordinal: Int)]?
    var hours: [Int]
    var minutes: [Int]
    var seconds: [Int]

    /// The maximum number of sets; a sentence with more is unreadable.
    private static let limit = 70

    /// One set for each combination. Nil if there are none or too many, or if days are given in two ways at once.
    var sets: [DateFields]? {
        guard [days == nil, weekdays == nil, ordinals == nil].count(where: { !$0 }) <= 1 else { return nil }
        let dayCount = days?.count ?? weekdays?.count ?? ordinals?.count ?? 1
        let count = (months?.count ?? 1) * dayCount * hours.count * minutes.count * seconds.count
        guard (1...Self.limit).contains(count) else { return nil }
        var sets: [DateFields] = []
        for month in months.map({ $0.map(Optional.some) }) ?? [nil] {
            for day in daySets {
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

    private var daySets: [DateFields] {
        if let days { return days.map { DateFields(day: $0) } }
        if let weekdays { return weekdays.map { DateFields(weekday: $0) } }
        return ordinals?.map { DateFields(weekday: $0.weekday, weekdayOrdinal: $0.ordinal) } ?? [DateFields()]
    }

    private var times: [(Int, Int, Int)] {
        hours.flatMap { hour in minutes.flatMap { minute in seconds.map { (hour, minute, $0) } } }
    }

    /// The positions of the set bits of a mask.
    static func values(_ mask: UInt64) -> [Int] { (0..<64).filter { mask >> UInt64($0) & 1 != 0 } }
}

extension CronExpression {
    /// Sets of components with the same dates; nil if there are none, or too many.
    package var dateFields: [DateFields]? {
        let seconds = seconds.map { FieldLists.values($0.mask) } ?? [0]
        var lists = FieldLists(
            hours: FieldLists.values(hours.mask),
            minutes: FieldLists.values(minutes.mask),
            seconds: seconds
        )
        // Every hour is no time of day. Days and weekdays together mean either, which one set can't express.
        guard lists.hours.count < 24, !(days.isRestricted && weekdays.isRestricted) else { return nil }
        let months = FieldLists.values(months.mask)
        if months.count < 12 { lists.months = months }
        let days = FieldLists.values(days.mask) + FieldLists.values(UInt64(days.daysFromEnd)).map { $0 - 31 }
        if days.count < 31 { lists.days = days }
        let weekdays = FieldLists.values(weekdays.mask).map { $0 + 1 }
        let ordinals = self.weekdays.ordinals.flatMap { ordinal, mask in
            FieldLists.values(mask).map { (weekday: $0 + 1, ordinal: ordinal) }
        }
        if !ordinals.isEmpty { lists.ordinals = ordinals }
        if (1..<7).contains(weekdays.count) { lists.weekdays = weekdays }
        return lists.sets
    }
}

extension CalendarExpression {
    /// Sets of components with the same dates; nil if there are none, or too many.
    package var dateFields: [DateFields]? {
        let unit = CalendarParser.microseconds
        guard year == nil, let hour, let minute, let second else { return nil }
        // This check comes first because fractions of a second can have sixty million values.
        guard second.links.allSatisfy({ $0.start % unit == 0 && ($0.step ?? 0) % unit == 0 }) else { return nil }
        let seconds = second.values(through: 60 * unit - 1)
        var lists = FieldLists(
            months: month?.values(through: 12),
            hours: hour.values(through: 23),
            minutes: minute.values(through: 59),
            seconds: seconds.map { $0 / unit }
        )
        guard lists.hours.count < 24 else { return nil }
        if let day { lists.days = fromMonthEnd ? day.valuesFromTheEnd().map { -$0 } : day.values(through: 31) }
        // In the mask, bit 0 is Monday; in the result, 1 is Sunday.
        if let weekdays { lists.weekdays = FieldLists.values(UInt64(weekdays)).map { ($0 + 1) % 7 + 1 }.sorted() }
        if let weekdays = lists.weekdays, let days = lists.days, let ordinal = Self.ordinal(of: days) {
            lists.ordinals = weekdays.map { ($0, ordinal) }
            (lists.weekdays, lists.days) = (nil, nil)
        }
        return lists.sets
    }

    /// Returns the ordinal that the weekdays have among these days if the days are the first, second … seven of a
    /// month.
    private static func ordinal(of days: [Int]) -> Int? {
        let days = days.sorted()
        guard days.count == 7, let first = days.first, days == Array(first...first + 6) else { return nil }
        if first == -7 { return -1 }
        return first > 0 && first % 7 == 1 ? first / 7 + 1 : nil
    }
}

extension RRule.Rule {
    /// Sets of components with the dates of the rule from a start, ignoring its interval and its end. Nil if there are
    /// none, or too many.
    package func dateFields(from start: DateFields) -> [DateFields]? {
        let isClock = [.hourly, .minutely, .secondly].contains(frequency)
        guard !isClock, yearDays.isEmpty, weekNumbers.isEmpty, positions.isEmpty else { return nil }
        func given(_ values: [Int]) -> [Int]? { values.isEmpty ? nil : values.sorted() }
        var lists = FieldLists(
            months: given(months),
            days: given(monthDays),
            hours: given(hours) ?? [start.hour ?? 0],
            minutes: given(minutes) ?? [start.minute ?? 0],
            seconds: given(seconds) ?? [start.second ?? 0]
        )
        let counted = weekdays.filter { $0.ordinal != nil }
        if counted.isEmpty {
            lists.weekdays = given(weekdays.map(\.weekday))
        } else {
            guard counted.count == weekdays.count else { return nil }
            lists.ordinals = counted.map { ($0.weekday, $0.ordinal ?? 0) }
            // Without a month, ordinals count from the beginning of the year.
            if frequency == .yearly, lists.months == nil { return nil }
        }
        // Components that the rule leaves open come from the start.
        if lists.days == nil, weekdays.isEmpty {
            switch frequency {
            case .weekly: lists.weekdays = start.weekday.map { [$0] }
            case .monthly: lists.days = start.day.map { [$0] }
            case .yearly:
                lists.days = start.day.map { [$0] }
                lists.months = lists.months ?? start.month.map { [$0] }
            default: break
            }
        }
        return lists.sets
    }
}
