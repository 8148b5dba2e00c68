import Belfry
import Synchronization

/// An alarm of a ``ManualTriggerClock``.
final class ManualAlarm: WakeAlarm {
    private let clock: ManualTriggerClock
    private let id: UInt64

    init(clock: ManualTriggerClock, id: UInt64) {
        self.clock = clock
        self.id = id
    }

    deinit {
        // Calls that wait for this alarm to run stop waiting.
        clock.update { [id] in $0.alarms[id] = nil }
    }

    func set(_ deadline: WakeDeadline?) {
        clock.state.withLock { $0.alarms[id]?.deadline = deadline }
    }

    func run(waking listener: any WakeListener) async throws(NoticeError) {
        let isFirst = clock.update { [id] state in
            guard state.alarms[id]?.isRunning == false else { return false }
            state.alarms[id]?.phase = .running(listener)
            return true
        }
        guard isFirst else {
            throw NoticeError(.unsupported, "This alarm is running already: make one for each listener.")
        }
        await withTaskCancellationHandler {
            while let reason = await nextNews() {
                listener.woke(reason)
                await listener.processedWakeUps()
                clock.update { [id] in $0.alarms[id]?.isWaking = false }
            }
        } onCancel: {
            let waiter = clock.state.withLock { state in
                defer { state.alarms[id]?.waiter = nil }
                return state.alarms[id]?.waiter
            }
            waiter?.resume(returning: nil)
        }
        clock.update { [id] state in
            state.alarms[id]?.phase = .ended
            state.alarms[id]?.news = nil
            state.alarms[id]?.isWaking = false
        }
    }

    /// Returns the next wake reason, or nil if the task is cancelled.
    private func nextNews() async -> WakeReason? {
        await withCheckedContinuation { continuation in
            let answer = clock.state.withLock { state -> WakeReason?? in
                guard !Task.isCancelled else { return .some(nil) }
                if let news = state.alarms[id]?.news {
                    state.alarms[id]?.news = nil
                    return news
                }
                state.alarms[id]?.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
