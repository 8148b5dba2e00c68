extension Schedule {
    func isDeferred(_ item: @autoclosure () -> ClockDoubt.Item) -> Bool {
        clock.doubt?.deferred.contains(item()) ?? false
    }

    mutating func beginDoubt(_ doubt: ClockMapping.Doubt) {
        clock.doubt = ClockDoubt(doubt, at: now.boot)
        let message =
            "The wall clock is \(doubt.ahead / 3_600_000_000) h ahead of where it was left, and the kernel does not "
            + "say that it is synchronized: what came due in between waits for that, two minutes at most."
        emit(.report(NoticeError(.clockInDoubt, message)))
    }

    /// Called at each wake-up.
    mutating func endDoubtInTime() {
        guard let doubt = clock.doubt else { return }
        if now.boot >= doubt.until { endDoubt() } else { clock.doubt?.look(at: clock.now.boot) }
    }

    /// Ends the doubt: deferred items are now due.
    mutating func endDoubt() {
        guard let doubt = clock.doubt else { return }
        clock.doubt = nil
        storeMapping()
        for item in doubt.deferred { enqueue(item) }
        // The setting may have changed while they waited.
        reconsiderQuiet()
        remember { $0.clock.doubt = doubt }
    }

    /// Handles a change of the clock by `jump`, after replanning. Items that are misfires by the new clock stay
    /// deferred, and converted deadlines are corrected to the new clock.
    mutating func reconsiderDoubt(afterJump jump: Int64) {
        guard let doubt = clock.doubt else { return }
        for (item, latest) in doubt.converted { shift(item, by: -jump, latest: latest) }
        for item in doubt.deferred where !isMisfire(item) {
            clock.doubt?.release(item)
            enqueue(item)
        }
    }

    private func isMisfire(_ item: ClockDoubt.Item) -> Bool {
        switch item {
        case .request(let id, let revision):
            return entries[id].map { $0.revision == revision && $0.isMisfire(at: now) } ?? false
        case .notice(let id, let delivery):
            guard let state = notices[id] else { return false }
            if let snoozed = state.snoozed, snoozed.id == delivery { return snoozeEnd(snoozed) <= now.wall }
            // One that waits for a retry is due by any clock.
            return state.isUnderWay(delivery) && state.underWay?.deferredUntil.map { $0 <= now.wall } ?? true
        }
    }

    /// Inserts an item into its queue, if it still exists.
    private mutating func enqueue(_ item: ClockDoubt.Item) {
        switch item {
        case .request(let id, let revision):
            if let entry = entries[id], entry.revision == revision { setEntry(entry) }
        case .notice(let id, let delivery):
            guard let state = notices[id] else { return }
            if state.snoozed?.id == delivery || state.isUnderWay(delivery) { setNotice(state) }
        }
    }

    private mutating func shift(_ item: ClockDoubt.Item, by shift: Int64, latest: Int64) {
        switch item {
        case .request(let id, let revision):
            guard var entry = entries[id], entry.revision == revision, let deadline = entry.deadline else { return }
            let shift = min(shift, latest - deadline)
            if case .elapsed = entry.timing { entry.progress.anchor += shift }
            entry.deadline = deadline + shift
            setEntry(entry)
            store(.updateProgress(revision: entry.revision, entry.progress))
        case .notice(let id, let delivery):
            guard var state = notices[id] else { return }
            if var record = state.snoozed, record.id == delivery, case .snoozedOnBoot(let until)? = record.wait {
                record.wait = .snoozedOnBoot(until: min(until + shift, latest))
                store(.putDelivery(record))
                state.snoozed = record
            } else if var underWay = state.underWay, underWay.record.id == delivery, underWay.isWaiting {
                underWay.occurrence.record.shiftDue(by: shift, latest: latest)
                store(.putDelivery(underWay.record))
                state.underWay = underWay
            }
            setNotice(state)
        }
    }
}

extension DeliveryRecord {
    /// Moves what its lateness counts from.
    fileprivate mutating func shiftDue(by shift: Int64, latest: Int64) {
        self.dueAt.boot = min(self.dueAt.boot + shift, latest)
        if let released = self.releasedAt?.boot { self.releasedAt?.boot = min(released + shift, latest) }
    }
}

extension ScheduleEntry {
    /// Returns whether its due time has passed.
    func isMisfire(at now: TriggerInstant) -> Bool {
        deadline.map { $0 <= (waitsOnBootClock ? now.boot : now.wall) } ?? false
    }
}
