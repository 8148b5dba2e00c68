import Belfry
import BelfryRecurrence

/// The dates of a trigger in everyday terms: some days of one kind, each at the same times of day.
struct EverydayDates: Sendable, Hashable {
    /// How often the days come: daily, weekly, monthly or yearly.
    let unit: RRule.Frequency
    /// Weekdays, or days of a month: a number from 1 to 31, −1 for the last, or a weekday with an ordinal. Those of a
    /// year have a month. Empty for every day.
    let days: [DateFields]
    /// The times of day, ascending.
    let times: [TimeOfDay]
    /// The interval in units.
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
            days.count <= Self.mostDays, let own = Self.unit(of: days), interval == 1 || own == unit
        else { return nil }
        self.unit = own
        switch own {
        case .daily: self.days = []
        // From Monday, which is the most common order.
        case .weekly: self.days = days.sorted { (($0.weekday ?? 0) + 5) % 7 < (($1.weekday ?? 0) + 5) % 7 }
        default: self.days = days
        }
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

    /// Nil if the days are not of one kind.
    private static func unit(of days: [DateFields]) -> RRule.Frequency? {
        if days == [DateFields()] { return .daily }
        if days.allSatisfy(isWeekday) { return days.count == 7 ? .daily : .weekly }
        guard days.allSatisfy(isDayOfMonth) else { return nil }
        let months = days.compactMap(\.month)
        if months.isEmpty { return .monthly }
        return months.count == days.count && months.allSatisfy((1...12).contains) ? .yearly : nil
    }

    private static func isWeekday(_ set: DateFields) -> Bool {
        (1...7).contains(set.weekday ?? 0) && set == DateFields(weekday: set.weekday)
    }

    private static func isDayOfMonth(_ set: DateFields) -> Bool {
        func isOne(_ number: Int, of last: Int) -> Bool { (1...last).contains(number) || number == -1 }
        if let number = set.day { return isOne(number, of: 31) && set == DateFields(month: set.month, day: number) }
        return isOne(set.weekdayOrdinal ?? 0, of: 5) && (1...7).contains(set.weekday ?? 0)
            && set == DateFields(month: set.month, weekday: set.weekday, weekdayOrdinal: set.weekdayOrdinal)
    }
}
