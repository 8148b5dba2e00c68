/// A set of days as rules define them: a small value that allocates no memory in all common cases.
///
/// It has four shapes, from cheap to general. The first two are every day and some weekdays. The third has month, day,
/// weekday and its ordinal as bits, which are combined into one mask for each month. All others use a ``YearTable``.
struct DaySet: Sendable, Hashable {
    enum Shape: UInt8, Sendable {
        case everyDay
        case weekdays
        case monthly
        case table
    }

    static let allMonths: UInt16 = 0xFFF
    static let allWeekdays: UInt8 = 0x7F
    static let allDays: UInt32 = 0x7FFF_FFFF
    /// The result of a search that finds no further day.
    static let none = Int(Int32.max)

    private(set) var shape: Shape
    /// The policy for a day that its month lacks; `.skip` if the rule has no such day.
    var missingDate: MissingDatePolicy
    /// The weekdays; bit 0 is Sunday.
    var weekdays: UInt8
    /// The months; bit 0 is January.
    var months: UInt16
    /// Days of the month from its start; bit 0 is the first.
    var days: UInt32
    /// Days of the month from its end; bit 30 is the last, bit 29 the one before.
    var daysFromEnd: UInt32
    /// The days of the month that the ordinal of a weekday allows, with the same bits as `days` and `daysFromEnd`.
    var ordinals: UInt32
    var ordinalsFromEnd: UInt32
    /// The first and last day number; reversed if there is no day at all.
    var low: Int32
    var high: Int32
    /// The years, ascending, if they are more than one range.
    let years: [Int]?
    private(set) var table: YearTable?

    /// Creates the set of the days that lists of values allow; an empty list allows any.
    /// - Parameters:
    ///   - days: days of the month; negative ones count from its end, as ordinals do.
    ///   - weekdays: 1 (Sunday) to 7.
    ///   - ordinals: the ordinals of the weekdays in their month. None has a number above 5.
    ///   - span: the day numbers that are searched; nil if there are none.
    init(
        months: [Int] = [],
        days: [Int] = [],
        weekdays: [Int] = [],
        ordinals: [Int] = [],
        missingDate: MissingDatePolicy = .skip,
        span: ClosedRange<Int>? = Gregorian.firstDay...Gregorian.lastDay,
        years: [Int]? = nil,
        table: YearTable? = nil
    ) {
        self.months = months.isEmpty ? Self.allMonths : months.reduce(0) { $0 | 1 << UInt16($1 - 1) }
        (self.days, daysFromEnd) = days.isEmpty ? (Self.allDays, 0) : Self.bits(days)
        self.weekdays = weekdays.isEmpty ? Self.allWeekdays : weekdays.reduce(0) { $0 | 1 << UInt8($1 - 1) }
        // The second Tuesday is a Tuesday among the days 8 to 14; the last one is among the last seven.
        let ordinalDays = ordinals.filter { abs($0) <= 5 }.flatMap { ordinal in
            (0..<7).map { (7 * abs(ordinal) - $0) * ordinal.signum() }
        }
        (self.ordinals, ordinalsFromEnd) = ordinals.isEmpty ? (Self.allDays, 0) : Self.bits(ordinalDays)
        self.missingDate = missingDate
        low = Int32(span?.lowerBound ?? 1)
        high = Int32(span?.upperBound ?? 0)
        self.years = years
        self.table = table
        shape = .monthly
        normalize()
    }

    private static func bits(_ days: [Int]) -> (fromStart: UInt32, fromEnd: UInt32) {
        var bits: (fromStart: UInt32, fromEnd: UInt32) = (0, 0)
        for day in days where abs(day) <= 31 {
            if day > 0 { bits.fromStart |= 1 << UInt32(day - 1) } else { bits.fromEnd |= 1 << UInt32(31 + day) }
        }
        return bits
    }

    /// Chooses the cheapest shape for the set. Call it after every change.
    mutating func normalize() {
        if table != nil {
            shape = .table
        } else if months != Self.allMonths || days != Self.allDays || ordinals != Self.allDays || years != nil {
            shape = .monthly
        } else {
            shape = weekdays == Self.allWeekdays ? .everyDay : .weekdays
        }
    }

    /// The months in which a day can lie, including the first of the next month in place of a missing day.
    @inline(__always)
    private var visitedMonths: UInt32 {
        let own = UInt32(months)
        return missingDate == .nextDay ? (own | own << 1) & 0xFFF : own
    }

    /// Returns the days of a month that are in the set; bit 0 is the first.
    @inline(__always)
    func mask(year: Int, month: Int, firstDay: Int) -> UInt32 {
        let leap = Gregorian.isLeap(year)
        return mask(month: month, leap: leap, firstWeekday: Gregorian.weekday(ofDay: firstDay))
    }

    @inline(__always)
    func mask(month: Int, leap: Bool, firstWeekday: Int) -> UInt32 {
        let length = UInt32(truncatingIfNeeded: Gregorian.length(ofMonth: month, leap: leap))
        var mask: UInt32 = 0
        if UInt32(months) &>> UInt32(truncatingIfNeeded: month &- 1) & 1 != 0 {
            mask = days | daysFromEnd &>> (31 &- length)
            if missingDate == .lastDayOfMonth, days &>> length != 0 { mask |= 1 &<< (length &- 1) }
            mask &= ordinals | ordinalsFromEnd &>> (31 &- length)
            mask &= (1 &<< length) &- 1
        }
        if missingDate == .nextDay, month > 1, UInt32(months) &>> UInt32(truncatingIfNeeded: month &- 2) & 1 != 0 {
            let before = UInt32(truncatingIfNeeded: Gregorian.length(ofMonth: month &- 1, leap: leap))
            if days &>> before != 0 { mask |= 1 }
        }
        // The seven weekday bits, repeated five times, begin with the weekday of the first of the month.
        let repeated = UInt64(weekdays) &* 0x8_1020_4081
        return mask & UInt32(truncatingIfNeeded: repeated &>> UInt64(truncatingIfNeeded: firstWeekday))
    }

    /// Whether a month lacks one of its days, so that the first day of the next month replaces it.
    func spills(year: Int, month: Int) -> Bool {
        guard missingDate == .nextDay, months >> UInt16(month - 1) & 1 != 0 else { return false }
        let length = Gregorian.length(ofMonth: month, leap: Gregorian.isLeap(year))
        guard days >> UInt32(length) != 0 else { return false }
        let next = Gregorian.day(year: year, month: month, day: 1) + length
        return weekdays >> UInt8(Gregorian.weekday(ofDay: next)) & 1 != 0
    }

    /// The first day of the set at or after a day number, or ``none``.
    @inline(__always)
    func next(from day: Int) -> Int {
        let start = max(day, Int(low))
        if start > Int(high) { return Self.none }
        let found: Int
        switch shape {
        case .everyDay:
            found = start
        case .weekdays:
            let repeated = UInt32(weekdays) &* 0x81
            let rotated = repeated &>> UInt32(truncatingIfNeeded: Gregorian.weekday(ofDay: start))
            found = start &+ rotated.trailingZeroBitCount
        case .monthly:
            found = nextMonthly(from: start)
        case .table:
            found = table.unsafelyUnwrapped.next(from: start, through: Int(high))
        }
        return found > Int(high) ? Self.none : found
    }

    private func nextMonthly(from start: Int) -> Int {
        var (year, month, day) = Gregorian.date(ofDay: start)
        let visited = visitedMonths
        if visited &>> UInt32(truncatingIfNeeded: month &- 1) & 1 != 0, nextYear(from: year) == year {
            let hits =
                mask(year: year, month: month, firstDay: start &- day &+ 1)
                &>> UInt32(truncatingIfNeeded: day &- 1)
            if hits != 0 { return start &+ hits.trailingZeroBitCount }
        }
        while true {
            let later = visited &>> UInt32(truncatingIfNeeded: month)
            if later != 0 {
                month = month &+ 1 &+ later.trailingZeroBitCount
            } else {
                year &+= 1
                month = 1 &+ visited.trailingZeroBitCount
            }
            guard let next = nextYear(from: year) else { return Self.none }
            if next > year { month = 1 &+ visited.trailingZeroBitCount }
            year = next
            let firstDay = Gregorian.day(year: year, month: month, day: 1)
            if firstDay > Int(high) { return Self.none }
            let hits = mask(year: year, month: month, firstDay: firstDay)
            if hits != 0 { return firstDay &+ hits.trailingZeroBitCount }
        }
    }

    /// Returns the first year of the set at or after a year.
    @inline(__always)
    private func nextYear(from year: Int) -> Int? {
        guard let years else { return year }
        let place = years.partitionPoint { $0 >= year }
        return place < years.count ? years[place] : nil
    }

    /// Whether the set has no day at all. Examines the 14 kinds of month first, so that no search is endless: each
    /// begins on any weekday, in a leap year or not.
    var isEmpty: Bool {
        switch shape {
        case .everyDay, .weekdays: break
        case .table:
            if table.unsafelyUnwrapped.isEmpty { return true }
        case .monthly:
            let possible = (0..<14).contains { kind in
                (1...12).contains { mask(month: $0, leap: kind >= 7, firstWeekday: kind % 7) != 0 }
            }
            if !possible { return true }
        }
        return next(from: Int(low)) == Self.none
    }
}
