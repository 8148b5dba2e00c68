/// The days of some weeks of the year, counted from its first week or from its last.
struct WeekNumberDays: Sendable, Hashable {
    /// The weeks; bit 1 is week 1.
    let numbers: UInt64
    /// The weeks from the end; bit 1 is the last week.
    let numbersFromEnd: UInt64
    let weeks: WeekRules
    /// The days of these weeks that count.
    var filter: DaySet

    init(_ numbers: [Int], weeks: WeekRules, filter: DaySet) {
        self.numbers = numbers.reduce(0) { $1 > 0 ? $0 | 1 << UInt64($1) : $0 }
        numbersFromEnd = numbers.reduce(0) { $1 < 0 ? $0 | 1 << UInt64(-$1) : $0 }
        self.weeks = weeks
        self.filter = filter
    }

    /// Whether there is no day in the 400 years after which the calendar repeats.
    var isEmpty: Bool {
        if filter.isEmpty { return true }
        var cycle = self
        cycle.filter.high = Int32(Gregorian.firstDay + Gregorian.daysPerCycle + 371)
        return cycle.next(from: Gregorian.firstDay) == DaySet.none
    }

    /// The first day at or after `day`, or ``DaySet/none``.
    func next(from day: Int) -> Int {
        var day = filter.next(from: day)
        while day != DaySet.none {
            let year = RulePeriod(unit: .weekYear(weeks), interval: 1, startDay: day).first
            let start = Gregorian.weekYearStart(year, weeks: weeks)
            let end = Gregorian.weekYearStart(year + 1, weeks: weeks)
            let week = (day - start) / 7 + 1
            let left = mask(weekCount: (end - start) / 7) >> UInt64(week)
            if left & 1 != 0 { return day }
            day = filter.next(from: left == 0 ? end : start + (week - 1 + left.trailingZeroBitCount) * 7)
        }
        return DaySet.none
    }

    /// The weeks, in a year that has `weekCount` weeks.
    private func mask(weekCount: Int) -> UInt64 {
        var mask = numbers
        var rest = numbersFromEnd
        while rest != 0 {
            let number = weekCount + 1 - rest.trailingZeroBitCount
            if number > 0 { mask |= 1 << UInt64(number) }
            rest &= rest - 1
        }
        return mask & ((2 << UInt64(weekCount)) - 1)
    }
}

/// The days that the parts of a rule allow, whatever its interval.
enum RuleDays: Sendable, Hashable {
    case set(DaySet)
    case weeks(WeekNumberDays)

    @inline(__always)
    func next(from day: Int) -> Int {
        switch self {
        case .set(let set): set.next(from: day)
        case .weeks(let weeks): weeks.next(from: day)
        }
    }

    var isEmpty: Bool {
        switch self {
        case .set(let set): set.isEmpty
        case .weeks(let weeks): weeks.isEmpty
        }
    }
}
