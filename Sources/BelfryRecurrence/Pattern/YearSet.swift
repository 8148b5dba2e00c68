/// Any years from 1 to 9999, as bits. It is created once for a rule and never changed.
final class YearSet: Sendable, Hashable {
    private let words: [UInt64]

    init(_ years: some Sequence<Int>) {
        var words = [UInt64](repeating: 0, count: (Gregorian.lastYear + 64) / 64)
        for year in years where (Gregorian.firstYear...Gregorian.lastYear).contains(year) {
            words[year / 64] |= 1 << UInt64(year % 64)
        }
        self.words = words
    }

    func contains(_ year: Int) -> Bool {
        year >= 0 && year / 64 < words.count && words[year / 64] >> UInt64(year % 64) & 1 != 0
    }

    /// Returns the first year of the set at or after `year`.
    func next(from year: Int) -> Int? {
        guard year / 64 < words.count else { return nil }
        let start = max(year, 0)
        var word = start / 64
        var bits = words[word] & ~0 << UInt64(start % 64)
        while bits == 0 {
            word += 1
            if word == words.count { return nil }
            bits = words[word]
        }
        return word * 64 + bits.trailingZeroBitCount
    }

    static func == (left: YearSet, right: YearSet) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) { hasher.combine(words) }
}
