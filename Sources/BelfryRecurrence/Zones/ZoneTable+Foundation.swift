import FoundationEssentials

extension ZoneTable {
    /// Creates a zone from Foundation's own zone data, for machines without any. Offsets are sampled weekly from 1900
    /// to 2200, and changes are located to the second. After that, the last offset stays.
    convenience init?(foundationZone identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        func offset(_ instant: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
        }
        let week = 7 * Gregorian.secondsPerDay
        let start = Gregorian.seconds(ofDay: Gregorian.day(year: 1900, month: 1, day: 1))
        let end = Gregorian.seconds(ofDay: Gregorian.day(year: 2200, month: 1, day: 1))
        let initial = offset(start)
        var changes: [Change] = []
        var last = initial
        for instant in stride(from: start, to: end, by: week) {
            let current = offset(instant)
            if current == last { continue }
            var low = instant - week
            var high = instant
            while high - low > 1 {
                let middle = (low + high) / 2
                if offset(middle) == last { low = middle } else { high = middle }
            }
            changes.append(Change(start: high, offset: current))
            last = current
        }
        self.init(identifier: identifier, initialOffset: initial, recorded: changes, rule: nil)
    }
}
