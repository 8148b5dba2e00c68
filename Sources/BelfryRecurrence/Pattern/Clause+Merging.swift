extension Clause {
    /// The same union with fewer clauses: two that differ in nothing but one of their masks are one with both.
    static func merged(_ clauses: [Clause]) -> [Clause] {
        var merged = clauses
        guard merged.count > 1 else { return merged }
        for dimension in Dimension.allCases where merged.count > 1 {
            merged = merge(merged, along: dimension)
        }
        return merged
    }

    /// The masks along which clauses merge: a union along one of them adds nothing that neither of the two has.
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

    /// The clause with one mask at a value that is the same for all, and that mask.
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
            // A set without a day of the month has all of them, and would swallow the policy of the other.
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
