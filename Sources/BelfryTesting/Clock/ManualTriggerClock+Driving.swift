import Belfry
import Dispatch
import Synchronization

extension ManualTriggerClock {
    /// Changes the state and resumes the call that waited for the change.
    @discardableResult
    func update<Value>(_ change: (inout ManualClockState) -> Value) -> Value {
        var met: CheckedContinuation<ManualClockError?, Never>?
        var value: Value?
        state.withLock { state in
            value = change(&state)
            met = state.takeMetWait()
        }
        met?.resume(returning: nil)
        return value!
    }

    /// Changes time or zone, wakes every alarm with the reason, then wakes the alarms that have become due.
    func change(
        _ reason: WakeReason?,
        _ change: @escaping @Sendable (inout ManualClockState) -> Void
    ) async throws(ManualClockError) {
        try await drive { [self] () async throws(ManualClockError) in
            try await becomeQuiet()
            let notified = state.withLock { state in
                change(&state)
                return reason == nil ? [] : state.running.map(\.id)
            }
            for id in notified {
                if let reason { try await wake(id, reason) }
                try await becomeQuiet()
            }
            try await wakeAllDue(until: state.withLock { $0.now.boot })
        }
    }

    /// Moves time to `target` on the boot clock, stopping at every deadline until then.
    func wakeAllDue(until target: Int64) async throws(ManualClockError) {
        var wakesHere = 0
        while true {
            try await becomeQuiet()
            let next = state.withLock { state -> (id: UInt64, remaining: Int64)? in
                let left = ManualClockState.difference(target, state.now.boot)
                guard let next = state.earliest(), next.remaining <= left else {
                    state.move(by: left)
                    return nil
                }
                state.move(by: next.remaining)
                return next
            }
            guard let next else { return }
            wakesHere = next.remaining > 0 ? 1 : wakesHere + 1
            guard wakesHere <= wakesPerInstant else {
                throw ManualClockError(
                    .endlessWakes,
                    "An alarm was woken \(wakesPerInstant) times at \(date) and still asks for this instant: its listener "
                        + "must set a later deadline, or nil."
                )
            }
            try await wake(next.id, .due)
        }
    }

    private func wake(_ id: UInt64, _ reason: WakeReason) async throws(ManualClockError) {
        state.withLock { $0.wake(id, reason) }?.resume(returning: reason)
        try await wait { $0.alarms[id]?.isWaking != true }
    }

    /// Waits until every alarm is running, none is waking, and all listeners are quiet.
    private func becomeQuiet() async throws(ManualClockError) {
        try await wait { $0.isEveryAlarmIdle }
        let (listeners, round) = state.withLock { state in
            state.quietBegun += 1
            return (state.running.map(\.listener), state.quietBegun)
        }
        guard !listeners.isEmpty else { return }
        // A task of its own lets this call give up on a listener that never returns.
        let asking = Task {
            for listener in listeners { await listener.quiet() }
            update { $0.quietFinished = max($0.quietFinished, round) }
        }
        do throws(ManualClockError) {
            try await wait { $0.quietFinished >= round }
        } catch {
            asking.cancel()
            throw error
        }
    }

    // MARK: - Turns and bounded waits

    /// Runs `body` when no other call moves time.
    func drive(_ body: () async throws(ManualClockError) -> Void) async throws(ManualClockError) {
        let id = state.withLock { $0.makeID() }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let answer = state.withLock { state -> Bool? in
                    guard !Task.isCancelled else { return false }
                    guard state.isDriving else {
                        state.isDriving = true
                        return true
                    }
                    state.turns.append(.init(id: id, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let turn = state.withLock { state -> ManualClockState.Turn? in
                guard let place = state.turns.firstIndex(where: { $0.id == id }) else { return nil }
                return state.turns.remove(at: place)
            }
            turn?.continuation.resume(returning: false)
        }
        guard hasTurn else { throw .cancelled }
        defer { passTurn() }
        try await body()
    }

    private func passTurn() {
        let next = state.withLock { state -> ManualClockState.Turn? in
            guard !state.turns.isEmpty else {
                state.isDriving = false
                return nil
            }
            return state.turns.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }

    /// Waits for a condition. Only the call that has the turn waits, so there is one wait at a time.
    private func wait(
        until isMet: @escaping @Sendable (ManualClockState) -> Bool
    ) async throws(ManualClockError) {
        guard !Task.isCancelled else { throw .cancelled }
        guard !state.withLock({ isMet($0) }) else { return }
        watch()
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ManualClockError?, Never>) in
                let answer = state.withLock { state -> ManualClockError?? in
                    if Task.isCancelled { return .cancelled }
                    if isMet(state) { return .some(nil) }
                    state.wait = .init(isMet: isMet, continuation: continuation, began: .now)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            takeWait { _ in true }?.resume(returning: .cancelled)
        }
        if let failure { throw failure }
    }

    private func takeWait(
        where fits: (ManualClockState.Wait) -> Bool
    ) -> CheckedContinuation<ManualClockError?, Never>? {
        state.withLock { state in
            guard let wait = state.wait, fits(wait) else { return nil }
            state.wait = nil
            return wait.continuation
        }
    }

    /// Ensures that no wait exceeds the patience, with at most one real timer per clock for any number of waits.
    private func watch() {
        let isNew = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isNew { lookAgain(after: patience) }
    }

    /// Reduces the patience when the caller knows that waiting can't succeed.
    func losePatience(after patience: Duration) {
        state.withLock { ($0.patience, $0.isWatched) = (patience, true) }
        lookAgain(after: patience)
    }

    private func lookAgain(after duration: Duration) {
        let milliseconds = Int(max(1, min(duration.seconds * 1000, 1e9)).rounded(.up))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self else { return }
            let expiry = ContinuousClock.now - patience
            let overdue = state.withLock { $0.wait }.flatMap { $0.began <= expiry ? $0.began : nil }
            if let overdue { Task { await self.giveUp(waitSince: overdue) } }
            let next = state.withLock { state -> Duration? in
                if let wait = state.wait, overdue == nil { return wait.began - expiry }
                if state.isDriving { return state.patience }
                state.isWatched = false
                return nil
            }
            if let next { lookAgain(after: next) }
        }
    }

    /// Fails a wait that is overdue. On a busy machine real time can pass without any task here running. Therefore the
    /// wait fails only after as many yields to the pool's queue as a long chain of hops takes.
    private func giveUp(waitSince began: ContinuousClock.Instant) async {
        for _ in 0..<200 { await Task.yield() }
        let overdue = takeWait { $0.began == began }
        overdue?.resume(returning: state.withLock { .notQuiet($0, after: $0.patience) })
    }
}

extension ManualClockError {
    static let cancelled = ManualClockError(.cancelled, "The task that moved the manual clock was cancelled.")

    /// Returns an error that names the listener or alarm that is not quiet.
    static func notQuiet(_ state: ManualClockState, after patience: Duration) -> ManualClockError {
        let listeners = state.running
        let names = listeners.map { "\(type(of: $0.listener))" }.joined(separator: ", ")
        let waking = listeners.filter { state.alarms[$0.id]?.isWaking == true }
        let what =
            if let first = waking.first {
                "processedWakeUps() of \(type(of: first.listener)) has not returned"
            } else if state.alarms.values.contains(where: { $0.isAwaited }) {
                "an alarm was made and nobody runs it (was the center's run() forgotten?)"
            } else {
                "quiet() of \(names) has not returned: something that was begun is still under way"
            }
        return ManualClockError(
            .notQuiet,
            "The world did not become quiet within \(patience.seconds) s of real time: \(what)."
        )
    }
}
