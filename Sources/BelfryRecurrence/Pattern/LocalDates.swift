/// Local dates and times in ascending order. The policies for times that a clock change skips or repeats turn them into
/// instants of a zone.
protocol LocalDates: Sendable {
    /// Whether the hour is given. If so, the policies shift a local time that a clock change skips, and one that occurs
    /// twice fires once. Otherwise every real minute counts.
    var hourIsGiven: Bool { get }

    /// Returns the first local time at or after `local`, both in seconds since 1970, as if the zone were UTC; ``none``
    /// if there is none.
    func nextLocal(from local: Int) -> Int
}

extension LocalDates {
    /// The result of a search that finds no further date.
    static var none: Int { .max }

    /// Returns the first instant strictly after `instant` at which one of the dates occurs in a zone, or ``none``.
    ///
    /// Far from any clock change, which is nearly always, the result is the first local time after the local time of
    /// `instant`.
    @inline(__always)
    func next(after instant: Int, in zone: ZoneTable, missing: MissingTimePolicy, repeated: RepeatedTimePolicy) -> Int {
        let segment = zone.segment(at: instant)
        let local = nextLocal(from: instant &+ 1 &+ segment.offset)
        let calmAfter = segment.end &- zone.spread
        if instant &- zone.spread >= segment.start {
            if local == Self.none {
                if instant < calmAfter { return Self.none }
            } else {
                let found = local &- segment.offset
                if found < calmAfter { return found }
                if instant < calmAfter {
                    let target = zone.segment(at: found)
                    let there = local &- target.offset
                    if there &- zone.spread >= target.start, there < target.end &- zone.spread { return there }
                }
            }
        }
        return nextAmongChanges(after: instant, in: zone, missing: missing, repeated: repeated)
    }

    /// Returns the same near clock changes. Goes from segment to segment and examines the local times in each. It also
    /// examines times shifted into it from the gap at its start, and back into it from the gap at its end.
    @inline(never)
    private func nextAmongChanges(
        after instant: Int,
        in zone: ZoneTable,
        missing: MissingTimePolicy,
        repeated: RepeatedTimePolicy
    ) -> Int {
        var from = instant + 1
        while true {
            let segment = zone.segment(at: from)
            let offsetBefore =
                segment.start <= ZoneTable.distantPast
                ? segment.offset : zone.segment(at: segment.start - 1).offset
            let offsetAfter =
                segment.end >= ZoneTable.distantFuture
                ? segment.offset : zone.segment(at: segment.end).offset

            var low = from + segment.offset
            var high = segment.end + segment.offset
            if hourIsGiven {
                if repeated == .first { low = max(low, segment.start + max(offsetBefore, segment.offset)) }
                if repeated == .last { high = min(high, segment.end + min(offsetAfter, segment.offset)) }
            }
            let local = nextLocal(from: low)
            var best = local < high ? local - segment.offset : Self.none

            if hourIsGiven, offsetBefore < segment.offset {
                let gapEnd = segment.start + segment.offset
                if missing == .shiftForward {
                    let moved = nextLocal(from: max(segment.start, from) + offsetBefore)
                    if moved < gapEnd { best = min(best, moved - offsetBefore) }
                } else if missing == .firstValid, from <= segment.start {
                    if nextLocal(from: segment.start + offsetBefore) < gapEnd { best = segment.start }
                }
            }
            if hourIsGiven, missing == .shiftBackward, segment.offset < offsetAfter {
                let moved = nextLocal(from: max(segment.end + segment.offset, from + offsetAfter))
                if moved < segment.end + offsetAfter { best = min(best, moved - offsetAfter) }
            }
            if best != Self.none { return best }

            // Beyond the clock changes near `instant`, local times only increase: skip those that can't match.
            from = segment.end
            let isBeyond = segment.end > instant + zone.spread
            if local == Self.none {
                if isBeyond { return Self.none }
            } else if isBeyond {
                from = max(from, local - zone.largestOffset)
            }
            if segment.end >= ZoneTable.distantFuture { return Self.none }
        }
    }
}
