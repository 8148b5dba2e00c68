import Belfry

/// An alarm of a ``ManualTriggerClock``.
final class ManualAlarm: WakeAlarm {
    private let state: AwaitedState<ManualClockState>
    private let id: UInt64

    init(of state: AwaitedState<ManualClockState>) {
        self.state = state
        id = state.withLock { $0.addAlarm() }
    }

    deinit {
        // Calls that wait for this alarm to run stop waiting.
        state.withLock { [id] in $0.alarms[id] = nil }
    }

    func set(_ deadline: WakeDeadline?) {
        state.withLock { $0.alarms[id]?.deadline = deadline }
    }

    func run(waking listener: any WakeListener) async throws(NoticeError) {
        let isFirst = state.withLock { state in
            guard state.alarms[id]?.isRunning == false else { return false }
            state.alarms[id]?.phase = .running(listener)
            return true
        }
        guard isFirst else {
            throw NoticeError(.unsupported, "This alarm is running already: make one for each listener.")
        }
        while let reason = await nextWake() {
            listener.woke(reason)
            await listener.processedWakeUps()
            state.withLock { $0.alarms[id]?.wake = nil }
        }
        state.withLock { state in
            state.alarms[id]?.phase = .ended
            state.alarms[id]?.wake = nil
        }
    }

    /// Returns the reason of the next wake-up, or nil if the task is canceled.
    private func nextWake() async -> WakeReason? {
        _ = await state.waitUnlessCancelled { [id] in $0.alarms[id]?.wake != nil }
        return Task.isCancelled ? nil : state.withLock { $0.alarms[id]?.wake }
    }
}
