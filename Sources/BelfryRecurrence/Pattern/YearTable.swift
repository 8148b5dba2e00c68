/// Days as bits for each kind of year: leap or not, after a leap year or not, and the weekday of 1 January.
///
/// It can hold any condition on a day that doesn't depend on the number of the year: days of the year, weeks of the
/// year and of the month, positions within it. It is created once for a rule (examining some 8,000 days) and immutable.
final class YearTable: Sendable, Hashable {
    struct Kind: Sendable {
        let leap: Bool
        let afterLeap: Bool
        /// The weekday of 1 January; 0 is Sunday.
        let newYear: Int

        var length: Int { leap ? 366 : 365 }

        static let all: [Kind] = (0..<28).map {
            Kind(leap: $0 >= 14, afterLeap: $0 / 7 % 2 == 1, newYear: $0 % 7)
        }
    }

    private static let wordsPerYear = 6
    private let words: ContiguousArray<UInt64>
    /// The first day of each kind of year, counted from 0, or −1.
    private let firsts: ContiguousArray<Int16>
    let isEmpty: Bool

    /// - Parameter contains: whether a day is in the set, given the kind of year and the day in it, counted from 1.
    init(_ contains: (Kind, Int) -> Bool) {
        var words = ContiguousArray<UInt64>(repeating: 0, count: 28 * Self.wordsPerYear)
        var firsts = ContiguousArray<Int16>(repeating: -1, count: 28)
        for (number, kind) in Kind.all.enumerated() where !(kind.leap && kind.afterLeap) {
            for day in 0..<kind.length where contains(kind, day + 1) {
                words[number * Self.wordsPerYear + day / 64] |= 1 << UInt64(day % 64)
                if firsts[number] < 0 { firsts[number] = Int16(day) }
            }
        }
        self.words = words
        self.firsts = firsts
        isEmpty = firsts.allSatisfy { $0 < 0 }
    }

    @inline(__always)
    private func number(ofYear year: Int, newYear: Int) -> Int {
        (Gregorian.isLeap(year) ? 14 : Gregorian.isLeap(year &- 1) ? 7 : 0) &+ Gregorian.weekday(ofDay: newYear)
    }

    /// Returns the first day at or after `start`, or ``DaySet/none`` if there is none up to `end`.
    func next(from start: Int, through end: Int) -> Int {
        var year = Gregorian.date(ofDay: start).year
        var newYear = Gregorian.day(year: year, month: 1, day: 1)
        let day = start &- newYear
        let row = number(ofYear: year, newYear: newYear) &* Self.wordsPerYear
        var word = day / 64
        var bits = words[row &+ word] & ~0 &<< UInt64(truncatingIfNeeded: day)
        while bits == 0, word < Self.wordsPerYear &- 1 {
            word &+= 1
            bits = words[row &+ word]
        }
        if bits != 0 { return newYear &+ word &* 64 &+ bits.trailingZeroBitCount }
        while newYear <= end {
            newYear &+= Gregorian.isLeap(year) ? 366 : 365
            year &+= 1
            let first = Int(firsts[number(ofYear: year, newYear: newYear)])
            if first >= 0 { return newYear &+ first }
        }
        return DaySet.none
    }

    /// Returns the number of days of the set in a year before one of its days, counted from 0.
    func count(ofYear year: Int, newYear: Int, before day: Int) -> Int {
        let row = number(ofYear: year, newYear: newYear) * Self.wordsPerYear
        var count = 0
        for word in 0..<Self.wordsPerYear where word * 64 < day {
            let bits = day >= word * 64 + 64 ? ~0 : (UInt64(1) << UInt64(day - word * 64)) - 1
            count += (words[row + word] & bits).nonzeroBitCount
        }
        return count
    }

    static func == (left: YearTable, right: YearTable) -> Bool { left === right || left.words == right.words }

    func hash(into hasher: inout Hasher) { hasher.combine(words) }
}
