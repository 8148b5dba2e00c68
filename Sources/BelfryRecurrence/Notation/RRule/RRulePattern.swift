/// A compiled recurrence of iCalendar: its rules and added dates, without its exceptions.
///
/// ```swift
/// let rule = try RRule(parsing: "DTSTART:20270115T160000Z\nRRULE:FREQ=DAILY;COUNT=3")
/// let pattern = try rule.compiled(zone: .utc)
/// print(Array(pattern.dates(after: 0)))   // three instants, a day apart
/// ```
public struct RRulePattern: RecurrencePattern {
    /// One rule with its bounds.
    struct Part: Sendable {
        enum Dates: Sendable {
            case local(RuleDates)
            case elapsed(RuleInstants)
        }

        let dates: Dates
        /// The first and last instants, inclusive.
        let earliest: Int
        var latest: Int
        /// Whether the rule begins with a date in the second pass of a repeated hour, where it has no other.
        var startsInSecondPass = false

        func next(after instant: Int, in zone: ZoneTable) -> Int {
            var lookups = 0
            return next(after: instant, in: zone, lookups: &lookups)
        }

        /// Returns the next date. `lookups` grows with the work of finding it, if that is more than usual.
        func next(after instant: Int, in zone: ZoneTable, lookups: inout Int) -> Int {
            let from = max(instant, earliest - 1)
            if from >= latest { return Clause.none }
            if startsInSecondPass, from < earliest { return earliest }
            let found =
                switch dates {
                // RFC 5545, 3.3.5: a time in a gap is read with the offset before it; of a repeated time, the first
                // counts.
                case .local(let dates): dates.next(after: from, in: zone, missing: .shiftForward, repeated: .first)
                case .elapsed(let instants): instants.next(after: from, in: zone, lookups: &lookups)
                }
            return found > latest ? Clause.none : found
        }
    }

    /// The zone in which the rule is computed.
    public let zone: ZoneRules
    let parts: [Part]
    /// Added dates, ascending, as are the exceptions.
    let additions: [Int64]
    let exceptions: [Int64]
    /// Local days on which nothing fires.
    let exceptionDays: [Int]

    public func next(after instant: Int64) -> Int64? {
        // Clamped to values far outside the calendar that can't overflow.
        var from = min(max(instant, -1 << 50), 1 << 50)
        while true {
            var best = Int64.max
            for part in parts {
                let found = part.next(after: Int(from), in: zone.table)
                if found != Clause.none { best = min(best, Int64(found)) }
            }
            let next = additions.partitionPoint { $0 > from }
            if next < additions.count { best = min(best, additions[next]) }
            if best == .max { return nil }
            let place = exceptions.partitionPoint { $0 >= best }
            let isException = place < exceptions.count && exceptions[place] == best
            if isException {
                from = best
            } else if let end = endOfExceptionDay(best) {
                from = end
            } else {
                return best
            }
        }
    }

    /// Returns the last second of the day of an instant if nothing fires on that day.
    private func endOfExceptionDay(_ instant: Int64) -> Int64? {
        if exceptionDays.isEmpty { return nil }
        let segment = zone.table.segment(at: Int(instant))
        let day = Gregorian.day(ofSeconds: Int(instant) + segment.offset)
        let place = exceptionDays.partitionPoint { $0 >= day }
        guard place < exceptionDays.count, exceptionDays[place] == day else { return nil }
        // By another offset, the day ends earlier or later, so the search ends at the next clock change.
        return Int64(min(Gregorian.seconds(ofDay: day + 1) - segment.offset, segment.end) - 1)
    }

    public var impossibility: RecurrenceError? {
        if next(after: .min) != nil { return nil }
        return RecurrenceError(
            code: .impossibleDate,
            message:
                "rrule: no date from the start to the year 9999 has all that the rule asks for, or each is an "
                + "exception."
        )
    }
}

extension Array {
    /// The first index from which all elements satisfy a condition that stays true, found by binary search.
    package func partitionPoint(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
