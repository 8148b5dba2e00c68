import BelfryRecurrence
import Foundation

extension Schedule {
    /// Takes up where an earlier process stopped.
    mutating func restore(_ state: StoredState, bootID: String) {
        batch.isFact = true
        self.bootID = bootID
        nextRevision = max(nextRevision, state.nextRevision)
        for pending in state.pending { restore(pending, mapping: state.clockMapping) }
        for delivery in state.deliveries { restore(delivery, mapping: state.clockMapping) }
        for response in state.responses { batch.then.append(.publish(response)) }
        storeMapping()
    }

    /// A reading of an earlier boot's clock, on this boot's.
    private func bootTime(_ stored: Int64, _ mapping: ClockMapping?) -> Int64 {
        guard let mapping, mapping.bootID != bootID else { return stored }
        return stored - mapping.instant.boot + mapping.instant.wall - now.wall + now.boot
    }

    private mutating func restore(_ pending: StoredState.Pending, mapping: ClockMapping?) {
        var entry = ScheduleEntry(pending.request, revision: pending.revision, progress: pending.progress)
        nextRevision = max(nextRevision, pending.revision + 1)
        switch entry.timing {
        case .immediate:
            entry.deadline = now.boot
        case .elapsed(let interval, let startsNow, _):
            entry.progress.anchor = bootTime(entry.progress.anchor, mapping)
            let steps = Int64(entry.progress.fired) + (startsNow ? 0 : 1)
            let (span, overflow) = interval.multipliedReportingOverflow(by: steps)
            entry.deadline = entry.progress.anchor + (overflow ? .max / 4 : span)
        case .wallClock(let trigger, _):
            let after = Date(microsecondsSince1970: planningFloor(entry, trigger, mapping))
            entry.deadline = trigger.nextDate(after: after, in: context).flatMap {
                $0 > after ? $0.microsecondsSince1970 : nil
            }
            if entry.deadline == nil {
                setEntry(entry.id, nil)
                batch.changes.append(.removeRequest(revision: entry.revision))
                batch.changes.append(.dropContent(revision: entry.revision))
                record(entry.id, .missed, detail: "it has no date left after a restart")
                return
            }
        case .dormant:
            entry.deadline = nil
        }
        setEntry(entry.id, entry)
    }

    /// The first date after this is the next firing: after the last one, or after the request was added.
    private func planningFloor(
        _ entry: ScheduleEntry, _ trigger: any WallClockTrigger, _ mapping: ClockMapping?
    ) -> Int64 {
        // A series' first element may have been due when it was added.
        if let date = (trigger as? DateTrigger)?.date { return date.microsecondsSince1970 - 1 }
        let floor = max(entry.progress.anchor, entry.progress.lastDue ?? .min)
        guard trigger.followsSystemZone, let mapping, mapping.zone != context.zone.identifier else { return floor }
        return max(floor, Self.instantOfLastLocal(entry.progress, in: context) ?? .min)
    }

    private mutating func restore(_ delivery: DeliveryRecord, mapping: ClockMapping?) {
        var state = notices[delivery.requestID] ?? NoticeState(id: delivery.requestID)
        let late = now.wall - delivery.dueAt.wall
        let dueAt = TriggerInstant(wall: delivery.dueAt.wall, boot: now.boot - late)
        if let receipt = delivery.receipt, let shownAt = delivery.shownAt {
            state.standing = NoticeState.Standing(
                deliveryID: delivery.id, revision: delivery.revision, dueAt: dueAt, shownAt: shownAt,
                receipt: receipt, traits: delivery.traits)
        } else {
            // Begun and never confirmed: shown again rather than lost.
            var coming = NoticeState.Coming(
                deliveryID: delivery.id,
                occurrence: NoticeState.Occurrence(
                    revision: delivery.revision, dueAt: dueAt, traits: delivery.traits))
            coming.retryAt = now.boot
            coming.isPossiblyRepeated = true
            state.coming = coming
        }
        setNotice(delivery.requestID, state)
    }
}
