/// The offsets of one zone for all time, organized for lookup. It is immutable, so threads share it without a lock.
///
/// It has sorted segments of constant offset and an index of equal slices of time (97 days, with at most a few
/// changes). The index leads to a segment in a step or two. If the zone has a rule for the future, the table has 400
/// years of it. The calendar then repeats, and later instants are folded back into these years.
///
/// `@unchecked Sendable`: the memory behind the pointers is written only in `init` and freed in `deinit`.
final class ZoneTable: @unchecked Sendable {
    /// A period of constant offset from UTC. `start` is inclusive, `end` exclusive, both in seconds since 1970.
    struct Segment {
        var start: Int
        var end: Int
        var offset: Int
    }

    /// A change of offset: from this instant on, local time is `offset` seconds ahead of UTC.
    struct Change: Equatable {
        var start: Int
        var offset: Int
    }

    /// The bounds of time: far outside any date, and far from an overflow.
    static let distantPast = -(1 << 60)
    static let distantFuture = 1 << 60

    /// The name by which the zone was requested.
    let identifier: String
    /// The largest difference between two offsets of the zone: no clock change is larger.
    let spread: Int
    let largestOffset: Int
    let isFixed: Bool

    /// `count` changes and a last one in the distant future. Owned.
    private let changes: UnsafeMutablePointer<Change>
    /// For each slice, the index of the change that applies to its first second. Owned.
    private let index: UnsafeMutablePointer<UInt16>
    private let count: Int
    private let indexBase: Int
    private let indexCount: Int
    private static let sliceShift = 23

    /// Instants outside `foldLow ..< foldHigh` are folded into the 400 years that end at `foldHigh`.
    private let foldLow: Int
    private let foldHigh: Int

    /// - Parameters:
    ///   - initialOffset: the offset before the first change.
    ///   - recorded: changes in ascending order.
    ///   - rule: the rule after the last of them, or for all time if there are none.
    convenience init(identifier: String, initialOffset: Int, recorded: [Change], rule: PosixZone?) {
        guard let rule, let daylight = rule.daylight, daylight.offset != rule.standardOffset else {
            var changes = recorded
            if let offset = rule?.standardOffset, let last = recorded.last, last.offset != offset {
                // The footer applies after the last change. In any valid file they agree, and nothing is added.
                changes.append(Change(start: last.start + 1, offset: offset))
            }
            let initial = recorded.isEmpty ? rule?.standardOffset : nil
            self.init(identifier: identifier, initialOffset: initial ?? initialOffset, changes: changes)
            return
        }
        let lastRecorded = recorded.last?.start ?? Self.distantPast
        let firstRuleYear = recorded.isEmpty ? 1969 : min(max(PosixZone.year(ofInstant: lastRecorded), 1600), 9000)
        // Folding begins a whole year after the rule does, so that the segment there is one of the rule's own.
        let foldYear = firstRuleYear + 2
        let foldHigh = Gregorian.seconds(ofDay: Gregorian.day(year: foldYear + 400, month: 1, day: 1))
        var all = recorded
        for change in rule.changes(fromYear: firstRuleYear, throughYear: foldYear + 401)
        where change.start > lastRecorded {
            all.append(change)
        }
        self.init(
            identifier: identifier,
            initialOffset: recorded.isEmpty ? (rule.offsetBefore(all.first) ?? initialOffset) : initialOffset,
            changes: all,
            foldLow: recorded.isEmpty ? foldHigh - Gregorian.secondsPerCycle : Self.distantPast,
            foldHigh: foldHigh
        )
    }

    private init(
        identifier: String,
        initialOffset: Int,
        changes given: [Change],
        foldLow: Int = distantPast,
        foldHigh: Int = distantFuture
    ) {
        self.identifier = identifier
        var kept = [Change(start: Self.distantPast, offset: initialOffset)]
        kept.reserveCapacity(given.count + 2)
        for change in given {
            if change.start <= kept[kept.count - 1].start {
                kept[kept.count - 1].offset = change.offset
            } else if change.offset != kept[kept.count - 1].offset {
                kept.append(change)
            }
        }
        count = kept.count
        kept.append(Change(start: Self.distantFuture, offset: kept[count - 1].offset))
        changes = .allocate(capacity: kept.count)
        changes.initialize(from: kept, count: kept.count)

        let offsets = kept.map(\.offset)
        largestOffset = offsets.max() ?? 0
        spread = largestOffset - (offsets.min() ?? 0)
        isFixed = count == 1
        self.foldLow = foldLow
        self.foldHigh = foldHigh

        // Changes before 1800 (none are real) are searched linearly; the index would be nearly empty there.
        let first = count > 1 ? max(kept[1].start, -5_364_662_400) : 0
        // The index covers a thousand years at most; later changes are found by a linear search.
        let last = count > 1 ? min(max(kept[count - 1].start, first), first + (4096 << Self.sliceShift)) : 0
        indexBase = first
        indexCount = ((last - first) >> Self.sliceShift) + 1
        index = .allocate(capacity: indexCount)
        var ruling = 0
        for slice in 0..<indexCount {
            let start = first + (slice << Self.sliceShift)
            while kept[ruling + 1].start <= start { ruling += 1 }
            (index + slice).initialize(to: UInt16(clamping: ruling))
        }
    }

    deinit {
        changes.deallocate()
        index.deallocate()
    }

    /// Returns the segment that contains an instant, in a constant number of steps.
    @inline(__always)
    func segment(at instant: Int) -> Segment {
        if instant >= foldLow && instant < foldHigh {
            return unfoldedSegment(at: instant)
        }
        return foldedSegment(at: instant)
    }

    @inline(__always)
    private func unfoldedSegment(at instant: Int) -> Segment {
        var position = 0
        let distance = instant &- indexBase
        if distance >= 0 {
            position = Int(index[min(distance >> Self.sliceShift, indexCount &- 1)])
        }
        while changes[position &+ 1].start <= instant { position &+= 1 }
        return Segment(
            start: changes[position].start,
            end: changes[position &+ 1].start,
            offset: changes[position].offset
        )
    }

    @inline(never)
    private func foldedSegment(at instant: Int) -> Segment {
        guard instant > Self.distantPast, instant < Self.distantFuture else {
            let position = instant < 0 ? 0 : count - 1
            return Segment(
                start: changes[position].start,
                end: changes[position + 1].start,
                offset: changes[position].offset
            )
        }
        let low = foldHigh - Gregorian.secondsPerCycle
        var cycles = (instant - low) / Gregorian.secondsPerCycle
        if instant < low { cycles -= 1 }
        let shift = cycles * Gregorian.secondsPerCycle
        var segment = unfoldedSegment(at: instant - shift)
        segment.start += shift
        segment.end += shift
        return segment
    }
}
