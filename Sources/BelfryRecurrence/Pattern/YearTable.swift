/// Days as bits for each kind of year: its position in the cycle of leap years, and the weekday of 1 January.
///
/// It can hold any condition on a day that doesn't depend on the number of the year: days of the year, weeks of the
/// year and of the month, positions within it. It is created once for a rule from some 10,000 days and is immutable.
final class YearTable: Sendable, Hashable {
    /// 1 January of one year of each kind, by the numbers of the kinds. Within 400 years, each occurs.
    private static let newYears: [Int] = {
        var newYears = [Int](repeating: 0, count: 28)
        for year in 2000..<2400 {
            let newYear = Gregorian.day(year: year, month: 1, day: 1)
            newYears[kind(ofYear: year, newYear: newYear)] = newYear
        }
        return newYears
    }()

    /// Returns the number of the kind of a year, from 0 to 27, given the day number of its 1 January.
    @inline(__always)
    private static func kind(ofYear year: Int, newYear: Int) -> Int {
        // Leap years are at least four years apart, so no year is next to two of them.
        let place =
            Gregorian.isLeap(year) ? 1 : Gregorian.isLeap(year &- 1) ? 2 : Gregorian.isLeap(year &+ 1) ? 3 : 0
        return place &* 7 &+ Gregorian.weekday(ofDay: newYear)
    }

    private static let wordsPerYear = 6
    private let words: ContiguousArray<UInt64>

    /// Creates the table of the days that match a condition.
    init(_ condition: DayCondition, weeks: WeekRules) {
        var words = ContiguousArray<UInt64>(repeating: 0, count: 28 * Self.wordsPerYear)
        for (kind, newYear) in Self.newYears.enumerated() {
            let length = DayFacts(newYear).yearLength
            for day in 0..<length where DayFacts(newYear + day).match(condition, weeks) {
                words[kind * Self.wordsPerYear + day / 64] |= 1 << UInt64(day % 64)
            }
        }
        self.words = words
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// Returns the first day at or after `start`, or ``DaySet/none`` if there is none up to `end`.
    func next(from start: Int, through end: Int) -> Int {
        var year = Gregorian.date(ofDay: start).year
        var newYear = Gregorian.day(year: year, month: 1, day: 1)
        var day = start &- newYear
        while newYear <= end {
            let row = Self.kind(ofYear: year, newYear: newYear) &* Self.wordsPerYear
            var word = day / 64
            var bits = words[row &+ word] & ~0 &<< UInt64(truncatingIfNeeded: day)
            while bits == 0, word < Self.wordsPerYear &- 1 {
                word &+= 1
                bits = words[row &+ word]
            }
            if bits != 0 { return newYear &+ word &* 64 &+ bits.trailingZeroBitCount }
            newYear &+= Gregorian.isLeap(year) ? 366 : 365
            year &+= 1
            day = 0
        }
        return DaySet.none
    }

    static func == (left: YearTable, right: YearTable) -> Bool { left === right || left.words == right.words }

    func hash(into hasher: inout Hasher) { hasher.combine(words) }
}
