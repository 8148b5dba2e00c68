import FoundationEssentials

extension SimulatedRun {
    /// Returns the stored state for requests that are pending elsewhere. Their progress is computed back from their
    /// next firing, which is all that is known.
    mutating func stored(_ pending: [PendingNotice]) -> StoredState {
        var state = StoredState()
        for notice in pending {
            let revision = state.nextRevision
            state.nextRevision += 1
            keep(notice.request, revision: revision)
            for status in notice.states {
                switch status {
                case .pending(let next?):
                    let progress = TriggerProgress(anchor: anchor(of: notice, firingAt: next), fired: notice.fired)
                    state.pending.append(.init(request: notice.request, revision: revision, progress: progress))
                case .snoozed(let until):
                    let wait = DeliveryWait.snoozedOnWall(until: until.microsecondsSince1970)
                    state.deliveries.append(delivery(of: notice, revision, due: until, wait))
                case .deferred(let until, .quietHours):
                    let wait = DeliveryWait.quietHours(until: until.microsecondsSince1970)
                    state.deliveries.append(delivery(of: notice, revision, due: until, wait))
                case .inFlight, .deferred(_, .clockInDoubt):
                    state.deliveries.append(delivery(of: notice, revision, due: now.date, nil))
                case .pending(nil), .delivered: break
                }
            }
        }
        return state
    }

    /// Returns the anchor, on the clock of the request's trigger, for which its next firing is at `next`.
    private func anchor(of notice: PendingNotice, firingAt next: Date) -> Int64 {
        let wall = next.microsecondsSince1970
        guard let trigger = notice.request.trigger as? any ElapsedTimeTrigger else { return wall - 1 }
        let interval = max(1, trigger.interval.microseconds)
        let span = ScheduleEntry.Timing.span(interval, startsNow: trigger.startsNow, fired: notice.fired)
        return wall - now.wall + now.boot - span
    }

    private func delivery(
        of notice: PendingNotice,
        _ revision: Int64,
        due: Date,
        _ wait: DeliveryWait?
    ) -> DeliveryRecord {
        let wall = due.microsecondsSince1970
        var record = DeliveryRecord(
            id: wait?.isSnooze == true ? "snoozed-\(revision)" : "due-\(revision)",
            requestID: notice.id,
            revision: revision,
            dueAt: TriggerInstant(wall: wall, boot: wall - now.wall + now.boot),
            traits: DeliveryTraits(notice.request),
            firing: max(1, notice.fired)
        )
        record.snoozes = notice.snoozeCount
        record.wait = wait
        return record
    }
}
