import BelfryRecurrence
import Foundation

extension Schedule {
    /// Takes up where an earlier process stopped.
    mutating func restore(_ state: StoredState, bootID: String) {
        batch.isFact = true
        self.bootID = bootID
        nextRevision = max(nextRevision, state.nextRevision)
        let mapping = state.clockMapping
        // What a delivery refers to first: the content of a request that has no date left may still be wanted.
        let deliveries = state.deliveries.sorted {
            ($0.revision, $0.dueAt.wall, $0.id) < ($1.revision, $1.dueAt.wall, $1.id)
        }
        for delivery in deliveries { restore(delivery, mapping) }
        let setback = setback(since: mapping)
        var forgotten = 0
        for pending in state.pending { restore(pending, mapping, setback: setback, forgotten: &forgotten) }
        if forgotten > 0 { recordForgotten(forgotten, setBackBy: setback) }
        for response in state.responses { batch.then.append(.publish(response)) }
        storeMapping()
    }

    /// By how much the wall clock has been set back since the mapping was stored, as far as can be told.
    private func setback(since mapping: ClockMapping?) -> Int64 {
        guard let mapping else { return 0 }
        let expected =
            mapping.bootID == bootID ? mapping.instant.wall - mapping.instant.boot + now.boot : mapping.instant.wall
        return max(0, expected - now.wall)
    }

    /// A reading of an earlier boot's clock, on this boot's. A wall clock that shows less than it did then is wrong:
    /// as far as it tells, no time has passed.
    private func bootTime(_ stored: Int64, _ mapping: ClockMapping) -> Int64 {
        stored - mapping.instant.boot + mapping.instant.wall - max(now.wall, mapping.instant.wall) + now.boot
    }

    private mutating func restore(
        _ pending: StoredState.Pending,
        _ mapping: ClockMapping?,
        setback: Int64,
        forgotten: inout Int
    ) {
        var entry = ScheduleEntry(
            pending.request,
            revision: pending.revision,
            progress: pending.progress,
            sharing: &rules
        )
        nextRevision = max(nextRevision, pending.revision + 1)
        switch entry.timing {
        case .immediate:
            entry.deadline = now.boot
        case .elapsed(let interval, let startsNow, _):
            let steps = Int64(entry.progress.fired) + (startsNow ? 0 : 1)
            let (product, overflow) = interval.multipliedReportingOverflow(by: steps)
            let span = overflow ? .max / 4 : min(product, .max / 4)
            if let mapping, mapping.bootID != bootID {
                // Whatever a wrong wall clock tells, the last firing is past: the next is an interval away at most.
                entry.progress.anchor = min(bootTime(entry.progress.anchor, mapping), now.boot + interval - span)
                // Stored together with the mapping of this boot, by which it is read from now on.
                batch.changes.append(.updateProgress(revision: entry.revision, entry.progress))
            }
            entry.deadline = entry.progress.anchor + span
        case .wallClock(let source, _):
            let forgetsAll = setback > Self.implausibleSetback
            let (wasForgotten, wasMoved) = entry.progress.pullBack(to: now.wall, forgettingAll: forgetsAll)
            if wasForgotten { forgotten += 1 }
            if wasForgotten || wasMoved {
                batch.changes.append(.updateProgress(revision: entry.revision, entry.progress))
            }
            entry.deadline = firstDeadline(entry, source)
            guard entry.deadline != nil else {
                batch.changes.append(.removeRequest(revision: entry.revision))
                if notices[entry.id]?.needs(revision: entry.revision) != true {
                    batch.changes.append(.dropContent(revision: entry.revision))
                }
                return record(entry.id, .missed, detail: "it has no date left after a restart")
            }
        case .dormant:
            entry.deadline = nil
        }
        setEntry(entry)
    }

    /// The next firing: after the last one, or after the request was added.
    private func firstDeadline(_ entry: ScheduleEntry, _ source: DateSource) -> Int64? {
        // A series' first element may have been due when it was added.
        if case .date(let date) = source { return date }
        return source.next(after: mark(entry, source) ?? entry.progress.anchor, in: context)
    }

    private mutating func restore(_ delivery: DeliveryRecord, _ mapping: ClockMapping?) {
        var state = notices[delivery.requestID] ?? NoticeState(id: delivery.requestID)
        if let standing = NoticeState.Standing(delivery) {
            state.standing = standing
        } else {
            // Of several that were begun only the latest is wanted.
            if let earlier = state.coming { superseded(delivery.requestID, earlier.occurrence) }
            var delivery = delivery
            if let mapping, mapping.bootID != bootID {
                delivery.dueAt.boot = bootTime(delivery.dueAt.boot, mapping)
                batch.changes.append(.putDelivery(delivery))
            }
            // Begun and never confirmed: shown again rather than lost.
            var coming = NoticeState.Coming(occurrence: NoticeState.Occurrence(record: delivery))
            coming.retryAt = now.boot
            coming.isPossiblyRepeated = true
            state.coming = coming
        }
        setNotice(state)
    }
}
