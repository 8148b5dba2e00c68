import FoundationEssentials

// Quiet hours: what may not pass waits as a delivery that is not in the backend's hands, so that a later firing of
// the same request takes its place, and a removal takes it out.
extension Schedule {
    mutating func replaceQuietHours(with hours: QuietHours?) {
        let old = quiet
        remember { $0.quiet = old }
        quiet = hours.map(QuietWatch.init)
        store(.putQuietHours(hours))
        reconsiderQuiet()
    }

    private func isSubject(_ occurrence: NoticeState.Occurrence) -> Bool {
        // One that somebody waits for is shown now or not at all; one that is not displayed disturbs nobody.
        !occurrence.isAwaited && occurrence.traits.level < .timeSensitive && occurrence.traits.isDisplayed
    }

    /// When the quiet hours end that a delivery has to wait for, on the wall clock; nil where it may be shown.
    mutating func quietEnd(for occurrence: NoticeState.Occurrence) -> Int64? {
        guard let setting = quiet?.setting, setting.behavior == .wait, isSubject(occurrence) else { return nil }
        return quiet?.end(at: clock.now.wall, in: clock.context.zone)
    }

    /// Whether a delivery that is shown now is to be shown quietly.
    mutating func mustBeQuiet(_ occurrence: NoticeState.Occurrence) -> Bool {
        guard let setting = quiet?.setting, setting.behavior == .deliverQuietly, isSubject(occurrence) else {
            return false
        }
        return quiet?.end(at: clock.now.wall, in: clock.context.zone) != nil
    }

    /// - Parameter tells: the history gets a line.
    mutating func hold(_ coming: inout NoticeState.Coming, until end: Int64, tells: Bool) {
        coming.heldUntil = end
        coming.occurrence.record.wait = .quietHours(until: end)
        store(.putDelivery(coming.occurrence.record))
        guard tells else { return }
        record(
            coming.occurrence.record.requestID,
            .retrying,
            thread: coming.occurrence.traits.thread,
            state: .deferred(until: Date(microsecondsSince1970: end), reason: .quietHours),
            detail: "waits for the end of quiet hours at \(Self.text(end))"
        )
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
        let due = slots.compactMap { slot in notices[slot]?.coming.map { (slot, $0.occurrence) } }
        let inOrder = due.sorted { ($0.1.dueAt.wall, $0.1.revision) < ($1.1.dueAt.wall, $1.1.revision) }
        for (slot, _) in inOrder { if let state = notices[slot] { release(state) } }
    }

    private mutating func release(_ held: NoticeState) {
        var state = held
        guard var coming = state.coming, let until = coming.heldUntil else { return }
        if let end = quietEnd(for: coming.occurrence) {
            if end == until {
                // It has left the queue, or hasn't.
                return setNotice(state)
            }
            hold(&coming, until: end, tells: false)
            state.coming = coming
            return setNotice(state)
        }
        // Not late by the hours that it waited.
        let late = max(0, now.wall - until)
        coming.occurrence.record.wait = nil
        coming.occurrence.record.releasedAt = TriggerInstant(wall: now.wall - late, boot: now.boot - late)
        coming.heldUntil = nil
        coming.retryAt = now.boot
        store(.putDelivery(coming.occurrence.record))
        state.coming = coming
        setNotice(state)
        // While the center doesn't run, and while the store fails, nothing is shown.
        if isRunning, log.pausedUntil == nil { retry(state.id) }
    }
}
