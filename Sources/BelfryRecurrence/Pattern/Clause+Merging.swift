extension Clause {
    /// Returns the same union with fewer clauses. Two clauses that differ in only one mask become one clause with both.
    static func merged(_ clauses: [Clause]) -> [Clause] {
        var merged = clauses
        guard merged.count > 1 else { return merged }
        for dimension in Dimension.allCases where merged.count > 1 {
            merged = merge(merged, along: dimension)
        }
        return merged
    }

    /// The masks along which clauses merge. A union along one of them adds no dates that neither clause has.
    private enum Dimension: CaseIterable {
        case second, minute, hour, day, weekday, month
    }

    private static func merge(_ clauses: [Clause], along dimension: Dimension) -> [Clause] {
        var order: [Clause] = []
        var masks: [Clause: UInt64] = [:]
        for clause in clauses {
            let (rest, mask) = clause.split(along: dimension)
            if let known = masks[rest] {
                masks[rest] = known | mask
            } else {
                masks[rest] = mask
                order.append(rest)
            }
        }
        return order.count == clauses.count
            ? clauses : order.map { $0.joined(with: masks[$0] ?? 0, along: dimension) }
    }

    /// Returns one mask, and the clause with that mask set to a fixed value.
    private func split(along dimension: Dimension) -> (rest: Clause, mask: UInt64) {
        var rest = self
        switch dimension {
        case .second:
            rest.times = TimeOfDaySet(hours: times.hours, minutes: times.minutes, seconds: 1)
            return (rest, times.seconds)
        case .minute:
            rest.times = TimeOfDaySet(hours: times.hours, minutes: 1, seconds: times.seconds)
            return (rest, times.minutes)
        case .hour:
            rest.times = TimeOfDaySet(hours: 1, minutes: times.minutes, seconds: times.seconds)
            return (rest, UInt64(times.hours))
        case .day:
            // A set without a day of the month has all days, and would override the other clause's policy.
            rest.days.days = days.days == DaySet.allDays ? DaySet.allDays : 1
            rest.days.daysFromEnd = 0
            rest.days.normalize()
            return (rest, UInt64(days.days) | UInt64(days.daysFromEnd) << 32)
        case .weekday:
            rest.days.weekdays = 1
            rest.days.normalize()
            return (rest, UInt64(days.weekdays))
        case .month:
            rest.days.months = 1
            rest.days.normalize()
            return (rest, UInt64(days.months))
        }
    }

    private func joined(with mask: UInt64, along dimension: Dimension) -> Clause {
        var clause = self
        switch dimension {
        case .second:
            clause.times = TimeOfDaySet(hours: times.hours, minutes: times.minutes, seconds: mask)
        case .minute:
            clause.times = TimeOfDaySet(hours: times.hours, minutes: mask, seconds: times.seconds)
        case .hour:
            clause.times = TimeOfDaySet(
                hours: UInt32(truncatingIfNeeded: mask),
                minutes: times.minutes,
                seconds: times.seconds
            )
        case .day:
            clause.days.days = UInt32(truncatingIfNeeded: mask)
            clause.days.daysFromEnd = UInt32(truncatingIfNeeded: mask >> 32)
        case .weekday:
            clause.days.weekdays = UInt8(truncatingIfNeeded: mask)
        case .month:
            clause.days.months = UInt16(truncatingIfNeeded: mask)
        }
        clause.days.normalize()
        return clause
    }
}
