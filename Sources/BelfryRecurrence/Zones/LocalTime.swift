/// The instants that a local date and time stands for in a zone.
///
/// ```swift
/// // 28 March 2027, 2:30, in seconds as if the zone were UTC
/// switch try ZoneRules.named("Europe/Berlin").instants(ofLocal: 1_806_201_000) {
/// case .once(let instant): print(instant)
/// case .twice(let first, let last): print(first, last)
/// case .skipped(let change, let before, let after): print("skipped at \(change): \(before) s to \(after) s")
/// }
/// ```
public enum LocalTime: Sendable, Hashable {
    /// The time occurs once, at this instant.
    case once(Int64)
    /// The time occurs twice, because a clock was set back.
    case twice(first: Int64, last: Int64)
    /// The time doesn't occur. The clock changed from offset `before` to offset `after` at the instant `change`.
    case skipped(change: Int64, before: Int, after: Int)

    /// Returns the instant that the policies choose; `nil` if they skip it.
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
    /// Returns the instants at which a clock of this zone shows a local date and time.
    /// - Parameter local: the date and time in seconds since 1970, as if the zone were UTC.
    public func instants(ofLocal local: Int64) -> LocalTime {
        // Offsets are at most 26 hours, so only a few segments have to be examined.
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

    /// Returns the instant of a local time as RFC 5545, 3.3.5, reads it: a time that a clock change skips is shifted
    /// forward, and the first of a repeated time counts.
    package func instant(ofLocal local: Int64, repeated: RepeatedTimePolicy = .first) -> Int64 {
        // Only the policy .skip gives nil.
        instants(ofLocal: local).instant(local: local, missing: .shiftForward, repeated: repeated) ?? local
    }
}
