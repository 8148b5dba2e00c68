/// The days, weeks, months or years that a rule counts; every `interval`-th one has dates.
struct RulePeriod: Sendable, Hashable {
    enum Unit: Sendable, Hashable {
        case day
        /// Weeks that begin on a weekday; 0 is Sunday.
        case week(start: Int)
        case month
        case year
        /// The years that weeks belong to.
        case weekYear(WeekRules)
    }

    let unit: Unit
    let interval: Int
    /// The index of the period of the start.
    let first: Int
    /// The index of the last period of the engine's calendar.
    let last: Int

    /// - Parameter first: the index of the period of the start, if that isn't the period that contains its day.
    init(unit: Unit, interval: Int, startDay: Int, first: Int? = nil) {
        self.unit = unit
        // A larger interval makes no difference, and this one can't overflow.
        self.interval = min(interval, 1 << 40)
        self.first = first ?? unit.index(ofDay: startDay)
        last = unit.index(ofDay: Gregorian.lastDay)
    }

    /// The number of counted periods after which the calendar has repeated, so that an unsuccessful search can end. For
    /// days it would be 146,097, but sets of days that repeat so late are nearly empty and searched quickly.
    var cycle: Int {
        switch unit {
        case .day: 50_000
        case .week: 20_871
        case .month: 4_800
        case .year, .weekYear: 400
        }
    }

    /// Returns the first period with dates at or after `index`; `nil` beyond the engine's calendar.
    func aligned(_ index: Int) -> Int? {
        if index <= first { return first }
        let beyond = (index - first) % interval
        let next = beyond == 0 ? index : index - beyond + interval
        return next <= last ? next : nil
    }
}

extension RulePeriod.Unit {
    /// Returns the index of the period that contains a day.
    func index(ofDay day: Int) -> Int {
        switch self {
        case .day: return day
        case .week(let start): return (day + 3 - start) / 7
        case .month:
            let date = Gregorian.date(ofDay: day)
            return date.year * 12 + date.month - 1
        case .year: return Gregorian.date(ofDay: day).year
        case .weekYear(let weeks):
            let year = Gregorian.date(ofDay: day).year
            if day >= Gregorian.weekYearStart(year + 1, weeks: weeks) { return year + 1 }
            return day < Gregorian.weekYearStart(year, weeks: weeks) ? year - 1 : year
        }
    }

    func firstDay(ofIndex index: Int) -> Int {
        switch self {
        case .day: index
        case .week(let start): index * 7 - 3 + start
        case .month: Gregorian.day(year: index / 12, month: index % 12 + 1, day: 1)
        case .year: Gregorian.day(year: index, month: 1, day: 1)
        case .weekYear(let weeks): Gregorian.weekYearStart(index, weeks: weeks)
        }
    }
}
