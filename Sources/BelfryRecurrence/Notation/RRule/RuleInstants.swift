/// The instants of a rule that counts hours, minutes or seconds. It counts elapsed time, not the time on a clock: every
/// 90 minutes stays that across a clock change. Both occurrences of a repeated hour have their dates.
struct RuleInstants: Sendable {
    /// The dates that the rule would have with an interval of 1.
    let clause: Clause
    /// The unit in seconds: 3600, 60 or 1.
    let unit: Int
    let interval: Int
    let positions: [Int]
    /// The beginning of the hour, minute or second of the start.
    let anchor: Int

    /// The maximum number of windows that a search examines. Each step skips windows that can't match, so that the
    /// limit is the 400 years in which the calendar repeats even for a rule with a date on each day.
    static let maximumSteps = 150_000

    init(clause: Clause, unit: Int, interval: Int, positions: [Int], start: Int, zone: ZoneTable) {
        self.clause = clause
        self.unit = unit
        // In seconds, this is longer than the engine's calendar, and can't overflow.
        self.interval = min(interval, 1 << 40)
        self.positions = positions
        let local = start + zone.segment(at: start).offset
        anchor = start - ((local % unit) + unit) % unit
    }

    /// Returns the first date after `instant`. `lookups` grows by the number of dates of the clause that it examined.
    func next(after instant: Int, in zone: ZoneTable, lookups: inout Int) -> Int {
        var from = instant
        let length = unit * interval
        for _ in 0..<Self.maximumSteps {
            lookups += 1
            let found = clause.next(after: from, in: zone, missing: .skip, repeated: .first)
            if found == Clause.none { return found }
            let window = (found - anchor) / length
            let begin = anchor + window * length
            if found - begin < unit {
                if positions.isEmpty { return found }
                let picked = pick(from: begin, after: from, in: zone, lookups: &lookups)
                if picked != Clause.none { return picked }
            }
            from = begin + length - 1
        }
        return Clause.none
    }

    /// Returns the first selected instant of a window that comes after `instant`.
    private func pick(from begin: Int, after instant: Int, in zone: ZoneTable, lookups: inout Int) -> Int {
        func walk(_ body: (_ place: Int, _ instant: Int) -> Bool) -> Int {
            var last = begin - 1
            var count = 0
            while true {
                last = clause.next(after: last, in: zone, missing: .skip, repeated: .first)
                if last >= begin + unit || body(count, last) { return count }
                count += 1
            }
        }
        let total = walk { _, _ in false }
        var best = Clause.none
        _ = walk { place, candidate in
            guard candidate > instant, positions.contains(place + 1) || positions.contains(place - total) else {
                return false
            }
            best = candidate
            return true
        }
        lookups += 2 * total
        return best
    }
}
