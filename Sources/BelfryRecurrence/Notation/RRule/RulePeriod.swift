/// The days, weeks, months or years by which a rule counts, of which every `interval`-th one has dates.
struct RulePeriod: Sendable, Hashable {
    enum Unit: Sendable, Hashable {
        case day
        /// Weeks that begin on a day, 0 being Sunday.
        case week(start: Int)
        case month
        case year
        /// The years that weeks count to.
        case weekYear(WeekRules)
    }

    let unit: Unit
    let interval: Int
    /// The period of the start.
    let first: Int
    /// The last one that the engine's calendar has.
    let last: Int

    /// - Parameter first: the period of the start, where it is another than the one that holds its day.
    init(unit: Unit, interval: Int, startDay: Int, first: Int? = nil) {
        self.unit = unit
        // More periods than there are make no difference, and can't overflow.
        self.interval = min(interval, 1 << 40)
        self.first = first ?? Self.index(ofDay: startDay, unit)
        last = Self.index(ofDay: Gregorian.lastDay, unit)
    }

    /// After how many periods that count the calendar repeats, at the latest: a search that has looked at so many in
    /// vain is over. (Days would be 146,097; the sets of days that repeat no sooner are all but empty, and skipped in
    /// leaps.)
    var cycle: Int {
        switch unit {
        case .day: 50_000
        case .week: 20_871
        case .month: 4_800
        case .year, .weekYear: 400
        }
    }

    func index(ofDay day: Int) -> Int { Self.index(ofDay: day, unit) }

    private static func index(ofDay day: Int, _ unit: Unit) -> Int {
        switch unit {
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
        switch unit {
        case .day: index
        case .week(let start): index * 7 - 3 + start
        case .month: Gregorian.day(year: index / 12, month: index % 12 + 1, day: 1)
        case .year: Gregorian.day(year: index, month: 1, day: 1)
        case .weekYear(let weeks): Gregorian.weekYearStart(index, weeks: weeks)
        }
    }

    /// The first period with dates that is `index` or a later one; `nil` beyond the engine's calendar.
    func aligned(_ index: Int) -> Int? {
        if index <= first { return first }
        let beyond = (index - first) % interval
        let next = beyond == 0 ? index : index - beyond + interval
        return next <= last ? next : nil
    }
}
