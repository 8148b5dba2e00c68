import Foundation

extension SimulatedRun {
    /// What a store would hold of requests that are pending elsewhere. Their progress is reckoned back from when they fire
    /// next, which is all that is told of it.
    mutating func stored(_ pending: [PendingNotice]) -> StoredState {
        var state = StoredState()
        for notice in pending {
            let revision = state.nextRevision
            state.nextRevision += 1
            contents[revision] = notice.request
            // A request that has ended is pending for the sake of a notice that was put off.
            if let next = notice.snoozedUntil == nil ? notice.next : notice.nextFiring {
                let progress = TriggerProgress(anchor: anchor(of: notice, firingAt: next), fired: notice.fired)
                state.pending.append(.init(request: notice.request, revision: revision, progress: progress))
            }
            if let until = notice.snoozedUntil { state.deliveries.append(snoozed(notice, revision, until)) }
        }
        return state
    }

    /// From where on the request counts, on the clock of its trigger, so that its next firing is at `next`.
    private func anchor(of notice: PendingNotice, firingAt next: Date) -> Int64 {
        let wall = next.microsecondsSince1970
        guard let trigger = notice.request.trigger as? any ElapsedTimeTrigger else { return wall - 1 }
        let steps = Int64(notice.fired) + (trigger.startsNow ? 0 : 1)
        let (span, overflow) = max(1, trigger.interval.microseconds).multipliedReportingOverflow(by: steps)
        return wall - now.wall + now.boot - (overflow ? .max / 4 : min(span, .max / 4))
    }

    private func snoozed(_ notice: PendingNotice, _ revision: Int64, _ until: Date) -> DeliveryRecord {
        let wall = until.microsecondsSince1970
        var record = DeliveryRecord(
            id: "snoozed-\(revision)",
            requestID: notice.id,
            revision: revision,
            dueAt: TriggerInstant(wall: wall, boot: wall - now.wall + now.boot),
            traits: DeliveryTraits(notice.request),
            firing: max(1, notice.fired)
        )
        record.snoozes = notice.snoozeCount
        record.wait = .snoozedOnWall(until: wall)
        return record
    }
}
