import FoundationEssentials

// Quiet hours: a deferred notice waits as a delivery that is not in flight. A later firing of the same request replaces
// it, and a removal of the request removes it.
extension Schedule {
    mutating func setQuietHours(_ hours: QuietHours?) {
        let old = quiet
        remember { $0.quiet = old }
        quiet = hours.map(QuietWatch.init)
        store(.putQuietHours(hours))
        reconsiderQuiet()
    }

    /// Returns the end of the quiet hours that apply to a delivery, on the wall clock; nil if none with that behavior
    /// do. None apply to one that a caller waits for, which is shown now or never, or to an undisplayed one, which
    /// disturbs nobody.
    mutating func quietEnd(
        for occurrence: NoticeState.Occurrence,
        _ behavior: QuietHours.Behavior = .wait
    ) -> Int64? {
        guard quiet?.setting.behavior == behavior, !occurrence.isAwaited else { return nil }
        let traits = occurrence.record.traits
        guard traits.level < .timeSensitive, traits.isDisplayed else { return nil }
        return quiet?.end(at: clock.now.wall, in: clock.context.zone)
    }

    /// - Parameter isNews: the deferral is recorded in the history.
    mutating func `defer`(_ underWay: inout NoticeState.UnderWay, until end: Int64, isNews: Bool) {
        underWay.phase = .deferred(until: end)
        underWay.occurrence.record.wait = .quietHours(until: end)
        store(.putDelivery(underWay.record))
        guard isNews else { return }
        let status = NoticeStatus.deferred(until: Date(microsecondsSince1970: end), reason: .quietHours)
        let detail = "waits for the end of quiet hours at \(Self.text(end))"
        record(underWay.record.subject, .retrying, state: status, detail: detail)
    }

    /// Releases notices whose quiet hours have ended, in the order of their due times.
    mutating func endQuietHours() {
        guard notices.deferrals.count > 0 else { return }
        release(notices.takeDeferrals(dueAt: now.wall))
    }

    /// Handles a change of clock, zone or setting: deferred notices are released, or get a new end. O(deferred).
    mutating func reconsiderQuiet() {
        quiet?.forget()
        guard notices.deferrals.count > 0 else { return }
        release(notices.deferredSlots)
    }

    private mutating func release(_ slots: [Int32]) {
        let due = slots.compactMap { slot in notices[slot]?.underWay.map { (slot, $0.record) } }
        let inOrder = due.sorted { ($0.1.dueAt.wall, $0.1.revision) < ($1.1.dueAt.wall, $1.1.revision) }
        for (slot, _) in inOrder { if let state = notices[slot] { release(state) } }
    }

    private mutating func release(_ deferred: NoticeState) {
        var state = deferred
        guard var underWay = state.underWay, let until = underWay.deferredUntil else { return }
        if let end = quietEnd(for: underWay.occurrence) {
            // It may have left the queue, even with the same end.
            if end != until { `defer`(&underWay, until: end, isNews: false) }
            state.underWay = underWay
            return setNotice(state)
        }
        // The deferral doesn't count as lateness.
        let late = max(0, now.wall - until)
        underWay.occurrence.record.wait = nil
        underWay.occurrence.record.releasedAt = TriggerInstant(wall: now.wall - late, boot: now.boot - late)
        underWay.phase = .retry(at: now.boot)
        store(.putDelivery(underWay.record))
        state.underWay = underWay
        setNotice(state)
        // Nothing is shown while the center doesn't run, or while the store fails.
        if isRunning, log.pausedUntil == nil { retry(state.id) }
    }
}
