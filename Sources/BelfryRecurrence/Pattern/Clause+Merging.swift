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
            var rest = clause
            // A set without a day of the month has all days, and would override the other clause's policy.
            let hasAnyDay = dimension == .day && clause.days.days == DaySet.allDays
            rest[dimension] = hasAnyDay ? UInt64(DaySet.allDays) : 1
            if masks[rest] == nil { order.append(rest) }
            masks[rest, default: 0] |= clause[dimension]
        }
        guard order.count < clauses.count else { return clauses }
        return order.map { rest in
            var clause = rest
            clause[dimension] = masks[rest] ?? 0
            return clause
        }
    }

    private subscript(dimension: Dimension) -> UInt64 {
        get {
            switch dimension {
            case .second: times.seconds
            case .minute: times.minutes
            case .hour: UInt64(times.hours)
            case .day: UInt64(days.days) | UInt64(days.daysFromEnd) << 32
            case .weekday: UInt64(days.weekdays)
            case .month: UInt64(days.months)
            }
        }
        set {
            let low = UInt32(truncatingIfNeeded: newValue)
            switch dimension {
            case .second: times = TimeOfDaySet(hours: times.hours, minutes: times.minutes, seconds: newValue)
            case .minute: times = TimeOfDaySet(hours: times.hours, minutes: newValue, seconds: times.seconds)
            case .hour: times = TimeOfDaySet(hours: low, minutes: times.minutes, seconds: times.seconds)
            case .day: (days.days, days.daysFromEnd) = (low, UInt32(truncatingIfNeeded: newValue >> 32))
            case .weekday: days.weekdays = UInt8(truncatingIfNeeded: newValue)
            case .month: days.months = UInt16(truncatingIfNeeded: newValue)
            }
            days.normalize()
        }
    }
}
