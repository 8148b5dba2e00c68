extension StoredState {
    /// Makes requests dormant whose numbers exceed the range of clocks and counts. Only a damaged store has them, and
    /// computing with them would crash the process.
    mutating func setAsideBeyondBounds() {
        pending.removeAll { !Self.revisions.contains($0.revision) }
        nextRevision = min(max(1, nextRevision), Self.revisions.upperBound)
        for index in pending.indices {
            do throws(NoticeError) { try pending[index].checkBounds() } catch {
                let kind = pending[index].trigger.map { type(of: $0).kind } ?? ImmediateTrigger.kind
                dormant.append(
                    Dormant(
                        requestID: pending[index].id,
                        revision: pending[index].revision,
                        kind: kind,
                        reason: error.message
                    )
                )
                pending[index].stored = StoredTrigger(TriggerRegistry.UnknownTrigger(storedKind: kind, payload: .null))
                pending[index].progress = TriggerProgress(anchor: 0)
            }
        }
        for (revision, place) in places {
            guard let since = place.since else { continue }
            let isSound = [since.wall, since.boot].allSatisfy(NumberBounds.microseconds.contains)
            if !isSound { places[revision]?.since = nil }
        }
    }

    /// Far more than are ever assigned, with room for the next one.
    private static let revisions: ClosedRange<Int64> = 0...(1 << 62)
}

extension StoredState.Pending {
    /// Checks the numbers that only the store defines. Decoded values were checked before.
    fileprivate func checkBounds() throws(NoticeError) {
        try NumberBounds.checkMicroseconds(progress.anchor, "anchor")
        if let lastDue = progress.lastDue { try NumberBounds.checkMicroseconds(lastDue, "lastDue") }
        if let lastLocal = progress.lastLocal { try NumberBounds.checkLocalSeconds(lastLocal, "lastLocal") }
        guard (0...NumberBounds.greatestCount).contains(progress.fired) else {
            throw NoticeError(
                .invalidContent,
                "'fired' is \(progress.fired): it must be 0 or more, and fit in 31 bits."
            )
        }
        switch stored {
        case .none, .other: break
        case .date(let trigger): try trigger.validate()
        case .interval(let trigger):
            guard trigger.interval > .zero else {
                throw NoticeError(
                    .invalidInterval,
                    "'interval' is \(trigger.interval.seconds) s: it must be over zero."
                )
            }
            try NumberBounds.check(trigger.interval, "interval")
        case .place(_, let shared):
            if let trigger = shared.value as? any RegionTrigger { try NumberBounds.check(trigger.dwell, "dwell") }
        }
    }
}
