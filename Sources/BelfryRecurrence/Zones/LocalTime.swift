/// What a local date and time means in a zone.
public enum LocalTime: Sendable, Hashable {
    /// It occurs once, at this instant.
    case once(Int64)
    /// It occurs twice: a clock was set back.
    case twice(first: Int64, last: Int64)
    /// It doesn't occur. The clock went from the offset `before` to the offset `after` at the instant `change`.
    case skipped(change: Int64, before: Int, after: Int)

    /// The instant that the policies choose; `nil` where they skip it.
    public func instant(local: Int64, missing: MissingTimePolicy, repeated: RepeatedTimePolicy) -> Int64? {
        switch self {
        case .once(let instant): return instant
        case .twice(let first, let last): return repeated == .first ? first : last
        case .skipped(let change, let before, let after):
            switch missing {
            case .shiftForward: return local - Int64(before)
            case .firstValid: return change
            case .shiftBackward: return local - Int64(after)
            case .skip: return nil
            }
        }
    }
}

extension ZoneRules {
    /// Finds the instants at which a clock of this zone shows a local date and time.
    /// - Parameter local: the date and time in seconds since 1970, as if the clock were at UTC.
    public func instants(ofLocal local: Int64) -> LocalTime {
        // No offset reaches further than 26 hours, and the segments in reach are few.
        let wanted = min(max(Int(local), ZoneTable.distantPast / 2), ZoneTable.distantFuture / 2)
        var found: Int?
        var segment = table.segment(at: wanted - table.largestOffset)
        while true {
            let instant = wanted - segment.offset
            if instant >= segment.start && instant < segment.end {
                if let first = found { return .twice(first: Int64(first), last: Int64(instant)) }
                found = instant
            }
            let next = table.segment(at: segment.end)
            let isLast = segment.end >= ZoneTable.distantFuture || next.start - table.spread > wanted - segment.offset
            if let found, isLast { return .once(Int64(found)) }
            if found == nil, wanted >= segment.end + segment.offset, wanted < next.start + next.offset {
                return .skipped(change: Int64(next.start), before: segment.offset, after: next.offset)
            }
            if isLast { return .once(Int64(instant)) }
            segment = next
        }
    }
}
