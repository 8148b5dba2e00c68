import Belfry
import BelfryRecurrence

/// The dates of a trigger in everyday terms: some days of one kind, each at the same times of day.
struct EverydayDates: Sendable, Hashable {
    enum Days: Sendable, Hashable {
        case daily
        case weekly([Weekday])
        case monthly([Day])
        case yearly([YearDay])
    }

    /// A day of a month.
    enum Day: Sendable, Hashable {
        /// 1 to 31, or −1 for the last.
        case number(Int)
        /// 1 to 5, or −1 for the last, and a weekday.
        case nth(Int, Weekday)
    }

    struct YearDay: Sendable, Hashable {
        let month: Int
        let day: Day
    }

    let days: Days
    /// The times of day, ascending.
    let times: [TimeOfDay]
    /// The interval in days, weeks, months or years.
    let interval: Int

    /// The limits of what a sentence can list.
    private static let mostTimes = 6
    private static let mostDays = 7

    /// Nil if the sets don't have such dates.
    /// - Parameter unit: the unit of `interval`, if it is more than 1.
    init?(matching sets: [DateFields], interval: Int = 1, of unit: RRule.Frequency? = nil) {
        var days: [DateFields] = []
        var times: Set<TimeOfDay> = []
        var pairs: Set<DateFields> = []
        guard sets.count <= Self.mostDays * Self.mostTimes else { return nil }
        for set in sets {
            guard let time = Self.time(of: set) else { return nil }
            var day = set
            (day.hour, day.minute, day.second) = (nil, nil, nil)
            pairs.insert(day.at(time))
            times.insert(time)
            if !days.contains(day) { days.append(day) }
        }
        // Each of the days must have each of the times.
        guard pairs.count == days.count * times.count, !times.isEmpty, times.count <= Self.mostTimes,
            days.count <= Self.mostDays, let spoken = Self.days(days)
        else { return nil }
        guard interval == 1 || Self.unit(of: spoken) == unit else { return nil }
        self.days = spoken
        self.times = times.sorted { $0.secondsOfDay < $1.secondsOfDay }
        self.interval = interval
    }

    /// Missing components are at their minimum if the hour is given, or if there is a day without any time.
    private static func time(of set: DateFields) -> TimeOfDay? {
        let hasDay = set.day != nil || set.weekday != nil
        guard let hour = set.hour ?? (set.minute == nil && set.second == nil && hasDay ? 0 : nil) else { return nil }
        let time = TimeOfDay(hour: hour, minute: set.minute ?? 0, second: set.second ?? 0)
        return time.isValid ? time : nil
    }

    private static func days(_ sets: [DateFields]) -> Days? {
        if sets == [DateFields()] { return .daily }
        let weekdays = sets.compactMap(weekday)
        if weekdays.count == sets.count {
            // From Monday, which is the most common order.
            let listed = weekdays.sorted { ($0.rawValue + 5) % 7 < ($1.rawValue + 5) % 7 }
            return listed.count == 7 ? .daily : .weekly(listed)
        }
        let days = sets.compactMap(day)
        guard days.count == sets.count else { return nil }
        let months = sets.compactMap(\.month)
        if months.isEmpty { return .monthly(days) }
        guard months.count == sets.count, months.allSatisfy((1...12).contains) else { return nil }
        return .yearly(zip(months, days).map { YearDay(month: $0, day: $1) })
    }

    private static func weekday(_ set: DateFields) -> Weekday? {
        guard let weekday = set.weekday, set == DateFields(weekday: weekday) else { return nil }
        return Weekday(rawValue: weekday)
    }

    private static func day(_ set: DateFields) -> Day? {
        if let number = set.day, set == DateFields(month: set.month, day: number) {
            return (1...31).contains(number) || number == -1 ? .number(number) : nil
        }
        guard let ordinal = set.weekdayOrdinal, let weekday = set.weekday.flatMap(Weekday.init),
            (1...5).contains(ordinal) || ordinal == -1,
            set == DateFields(month: set.month, weekday: weekday.rawValue, weekdayOrdinal: ordinal)
        else { return nil }
        return .nth(ordinal, weekday)
    }

    private static func unit(of days: Days) -> RRule.Frequency {
        switch days {
        case .daily: .daily
        case .weekly: .weekly
        case .monthly: .monthly
        case .yearly: .yearly
        }
    }
}
