/// One deadline on the machine's clocks. Setting the deadline arms the timer on the caller's thread; expirations are
/// read on the centers' thread. Both wake the listener directly: a task in between would cost a turn of that thread.
final class SystemAlarm: WakeAlarm {
    private struct State: Sendable {
        var deadline: WakeDeadline?
        /// The subscription to changes of the zone.
        var subscription: UInt64 = 0
        /// Nil while the alarm does not run.
        var listener: (any WakeListener)?
        /// What has not been reported to the listener yet. `due`: the timer has expired, and the deadline has not been
        /// checked since.
        var news: Set<WakeReason> = []
        /// Ends the run.
        var failure: NoticeError?
    }

    private let timer: AlarmTimer
    /// Held while the timer is armed, which does not block; never while the listener is called.
    private let state = AwaitedState(State())
    private let zones: ZoneWatch

    init(zones: ZoneWatch) throws(NoticeError) {
        self.zones = zones
        timer = try AlarmTimer()
        // Subscribe now: a caller that reads the zone afterwards misses no change.
        let subscription = zones.listen { [weak self] in self?.change { $0.news.insert(.zoneChanged) } }
        state.withLock { $0.subscription = subscription }
    }

    deinit {
        timer.close()
        zones.forget(state.current.subscription)
    }

    func set(_ deadline: WakeDeadline?) {
        change { state in
            state.deadline = deadline
            arm(&state)
        }
    }

    func run(waking listener: any WakeListener) async throws(NoticeError) {
        try begin(listener)
        defer { state.withLock { $0.listener = nil } }
        // This call retains the alarm, and so its timer, until the timer is no longer watched.
        let watch = try CenterThread.shared.watch(timer.descriptor) { [unowned self] in readTimer() }
        // What has happened before the run.
        change { _ in }
        _ = await state.waitUnlessCancelled { $0.failure != nil }
        await CenterThread.shared.unwatch(watch)
        if let failure = state.current.failure { throw failure }
    }

    private func begin(_ listener: any WakeListener) throws(NoticeError) {
        try state.withLock { state throws(NoticeError) in
            guard state.listener == nil else {
                throw NoticeError(.unsupported, "This alarm is running already: make one for each listener.")
            }
            state.listener = listener
            state.failure = nil
        }
    }

    /// Reads the timer, which has become readable; called on the centers' thread.
    private func readTimer() {
        if let deadline = state.current.deadline { timer.waitOut(deadline) }
        change { state in
            do throws(NoticeError) {
                let wasSet = try timer.read()
                state.news.insert(wasSet ? .clockSet : .due)
                // Rearm for the deadline, and to detect the next clock change.
                if wasSet { arm(&state) }
            } catch { state.failure = error }
        }
    }

    /// Arms the timer for the deadline.
    private func arm(_ state: inout State) {
        do throws(NoticeError) {
            if try timer.arm(state.deadline) { state.news.insert(.clockSet) }
        } catch { state.failure = error }
    }

    /// Changes the state, and wakes the listener for each reason that results.
    private func change(_ change: (inout State) -> Void) {
        let (listener, reasons) = state.withLock { state -> ((any WakeListener)?, [WakeReason]) in
            change(&state)
            guard state.listener != nil else { return (nil, []) }
            var reasons: [WakeReason] = []
            while state.failure == nil, let reason = takeReason(&state) { reasons.append(reason) }
            return (state.listener, reasons)
        }
        for reason in reasons { listener?.woke(reason) }
    }

    private func takeReason(_ state: inout State) -> WakeReason? {
        for reason in [WakeReason.clockSet, .zoneChanged] where state.news.remove(reason) != nil { return reason }
        guard state.news.remove(.due) != nil else { return nil }
        // The deadline may have been moved since; the expiration of the old one is then ignored.
        guard let deadline = state.deadline else { return nil }
        guard deadline.isDue(at: SystemTriggerClock.read()) else {
            arm(&state)
            return takeReason(&state)
        }
        state.deadline = nil
        return .due
    }
}
