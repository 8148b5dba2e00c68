/// One deadline on the machine's clocks. Setting the deadline arms the timer on the caller's thread; expirations are
/// read on the centers' thread. Both wake the listener directly: a task in between would cost a turn of that thread.
final class SystemAlarm: WakeAlarm {
    private struct State: Sendable {
        /// Nil when closed: after a run, or if the alarm was released without one.
        var timer: AlarmTimer?
        var deadline: WakeDeadline?
        /// The subscription to changes of the zone.
        var subscription: UInt64 = 0
        /// Nil while the alarm does not run.
        var listener: (any WakeListener)?
        /// Until the end of the run, when the timer is no longer watched.
        var isRunning = false
        /// What has not been reported to the listener yet. `due`: the timer has expired, and the deadline has not been
        /// checked since.
        var news: Set<WakeReason> = []
        /// Ends the run.
        var failure: NoticeError?
    }

    /// Held while the timer is armed, which does not block; never while the listener is called.
    private let state: AwaitedState<State>
    private let zones: ZoneWatch

    init(zones: ZoneWatch) throws(NoticeError) {
        self.zones = zones
        state = AwaitedState(State(timer: try AlarmTimer()))
        // Subscribe now: a caller that reads the zone afterwards misses no change.
        let subscription = zones.listen { [weak self] in self?.change { $0.news.insert(.zoneChanged) } }
        state.withLock { $0.subscription = subscription }
    }

    deinit {
        let (timer, subscription) = state.withLock { ($0.timer, $0.subscription) }
        timer?.close()
        zones.forget(subscription)
    }

    func set(_ deadline: WakeDeadline?) {
        change { state in
            state.deadline = deadline
            Self.arm(&state)
        }
    }

    func run(waking listener: any WakeListener) async throws(NoticeError) {
        let timer = try begin(listener)
        var watch: UInt64?
        do throws(NoticeError) {
            // This call retains the alarm until the timer is no longer watched.
            watch = try CenterThread.shared.watch(timer.descriptor) { [unowned self] in readable(timer) }
            // What has happened before the run.
            change { _ in }
            _ = await state.waitUnlessCancelled { $0.failure != nil }
        } catch {
            state.withLock { $0.failure = error }
        }
        state.withLock { state in
            state.timer = nil
            state.listener = nil
        }
        // Before it is closed: the number of a closed descriptor may already be in use again.
        if let watch { await CenterThread.shared.unwatch(watch) }
        timer.close()
        let failure = state.withLock { state in
            state.isRunning = false
            return state.failure
        }
        if let failure { throw failure }
    }

    private func begin(_ listener: any WakeListener) throws(NoticeError) -> AlarmTimer {
        try state.withLock { state throws(NoticeError) in
            guard !state.isRunning else {
                throw NoticeError(.unsupported, "This alarm is running already: make one for each listener.")
            }
            // Closed if this is a second run.
            let timer = if let open = state.timer { open } else { try AlarmTimer() }
            state.timer = timer
            state.listener = listener
            state.isRunning = true
            state.failure = nil
            Self.arm(&state)
            return timer
        }
    }

    /// Reads the timer, which has become readable; called on the centers' thread.
    private func readable(_ timer: AlarmTimer) {
        change { state in
            do throws(NoticeError) {
                let wasSet = try timer.read()
                state.news.insert(wasSet ? .clockSet : .due)
                // Rearm for the deadline, and to detect the next clock change.
                if wasSet { Self.arm(&state) }
            } catch { state.failure = error }
        }
    }

    /// Arms the timer for the deadline.
    private static func arm(_ state: inout State) {
        guard let timer = state.timer else { return }
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
            while state.failure == nil, let reason = Self.takeReason(&state) { reasons.append(reason) }
            return (state.listener, reasons)
        }
        for reason in reasons { listener?.woke(reason) }
    }

    private static func takeReason(_ state: inout State) -> WakeReason? {
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
