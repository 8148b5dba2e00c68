import FoundationEssentials

// Quiet hours: what may not pass waits as a delivery that is not in the backend's hands, so that a later firing of
// the same request takes its place, and a removal removes it.
extension Schedule {
    mutating func replaceQuietHours(with hours: QuietHours?) {
        let old = quiet
        remember { $0.quiet = old }
        quiet = hours.map(QuietWatch.init)
        store(.putQuietHours(hours))
        reconsiderQuiet()
    }

    /// When the quiet hours end that a delivery has to wait for, on the wall clock; nil where it may be shown.
    mutating func quietEnd(for occurrence: NoticeState.Occurrence) -> Int64? {
        quietEnd(for: occurrence, under: .wait)
    }

    /// Whether a delivery that is shown now is to be shown quietly.
    mutating func mustBeQuiet(_ occurrence: NoticeState.Occurrence) -> Bool {
        quietEnd(for: occurrence, under: .deliverQuietly) != nil
    }

    /// Nil for one that somebody waits for, which is shown now or not at all, and for one that is not displayed, which
    /// disturbs nobody.
    private mutating func quietEnd(
        for occurrence: NoticeState.Occurrence,
        under behavior: QuietHours.Behavior
    ) -> Int64? {
        guard quiet?.setting.behavior == behavior, !occurrence.isAwaited else { return nil }
        let traits = occurrence.record.traits
        guard traits.level < .timeSensitive, traits.isDisplayed else { return nil }
        return quiet?.end(at: clock.now.wall, in: clock.context.zone)
    }

    /// - Parameter isNews: the history is told.
    mutating func `defer`(_ underWay: inout NoticeState.UnderWay, until end: Int64, isNews: Bool) {
        underWay.phase = .deferred(until: end)
        underWay.occurrence.record.wait = .quietHours(until: end)
        store(.putDelivery(underWay.record))
        guard isNews else { return }
        let status = NoticeStatus.deferred(until: Date(microsecondsSince1970: end), reason: .quietHours)
        let detail = "waits for the end of quiet hours at \(Self.text(end))"
        record(underWay.record, .retrying, state: status, detail: detail)
    }

    /// What waited for an end that has come, in the order in which it was due.
    mutating func endQuietHours() {
        guard notices.deferrals.count > 0 else { return }
        release(notices.takeDeferrals(dueAt: now.wall))
    }

    /// Clock, zone or the setting are others: what waits may go, or waits for another end. O(what waits).
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
            // With the same end as before it may have left the queue.
            if end != until { `defer`(&underWay, until: end, isNews: false) }
            state.underWay = underWay
            return setNotice(state)
        }
        // Not late by the hours that it waited.
        let late = max(0, now.wall - until)
        underWay.occurrence.record.wait = nil
        underWay.occurrence.record.releasedAt = TriggerInstant(wall: now.wall - late, boot: now.boot - late)
        underWay.phase = .retry(at: now.boot)
        store(.putDelivery(underWay.record))
        state.underWay = underWay
        setNotice(state)
        // While the center doesn't run, and while the store fails, nothing is shown.
        if isRunning, log.pausedUntil == nil { retry(state.id) }
    }
}
