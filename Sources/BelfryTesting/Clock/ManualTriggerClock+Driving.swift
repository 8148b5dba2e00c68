import Belfry

extension ManualTriggerClock {
    /// Advances both clocks, stopping at every deadline on the way.
    ///
    /// - Parameters:
    ///   - way: How far, in words, for the error.
    ///   - target: Returns the instant on the boot clock at which to stop. Called when the call's turn has come.
    func advance(
        _ way: @autoclosure () -> String,
        to target: @escaping @Sendable (ManualClockState) -> Int64
    ) async throws(ManualClockError) {
        try await drive { [self] () async throws(ManualClockError) in
            let (now, end) = state.withLock { ($0.now, target($0)) }
            guard end >= now.boot else {
                throw ManualClockError(
                    .intoThePast,
                    "The clock can't advance \(way()), it shows \(now.date): time moves forward. Use set(wall:) to set "
                        + "the wall clock back."
                )
            }
            try await wakeAllDue(until: end)
        }
    }

    /// Changes time or zone, wakes every alarm with the reason, if any, then wakes the alarms that have become due.
    func change(
        _ reason: WakeReason?,
        _ change: @escaping @Sendable (inout ManualClockState) -> Void
    ) async throws(ManualClockError) {
        try await drive { [self] () async throws(ManualClockError) in
            try await becomeQuiet()
            let running = state.withLock { state in
                change(&state)
                return state.running.map(\.id)
            }
            if let reason {
                for id in running {
                    state.withLock { $0.wake(id, reason) }
                    try await becomeQuiet()
                }
            }
            try await wakeAllDue(until: state.withLock { $0.now.boot })
        }
    }

    /// Moves time to `target` on the boot clock, stopping at every deadline until then.
    private func wakeAllDue(until target: Int64) async throws(ManualClockError) {
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
                    "An alarm was woken \(wakesPerInstant) times at \(date) and still asks for this instant: its "
                        + "listener must set a later deadline, or nil."
                )
            }
            state.withLock { $0.wake(next.id, .due) }
        }
    }

    /// Waits until every alarm is running, all wake-ups are processed, and all listeners are quiet.
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
            state.withLock { $0.quietFinished = max($0.quietFinished, round) }
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
        let id = state.withLock { state in
            let id = state.makeID()
            state.turns.append(id)
            return id
        }
        defer { state.withLock { $0.turns.removeAll { $0 == id } } }
        _ = await state.waitUnlessCancelled { $0.turns.first == id }
        guard !Task.isCancelled else { throw .cancelled }
        try await body()
    }

    /// Waits for a condition, within the patience.
    private func wait(
        until isMet: @escaping @Sendable (ManualClockState) -> Bool
    ) async throws(ManualClockError) {
        guard !Task.isCancelled else { throw .cancelled }
        let began = ContinuousClock.now
        _ = await state.waitUnlessCancelled { isMet($0) || began.duration(to: .now) >= $0.patience }
        // On a busy machine real time can pass without any task here running. Therefore the wait fails only after as
        // many yields to the pool's queue as a long chain of hops takes.
        var yields = 0
        while !state.withLock({ isMet($0) }) {
            guard !Task.isCancelled else { throw .cancelled }
            guard yields < 200 else { throw state.withLock { .notQuiet($0) } }
            yields += 1
            await Task.yield()
        }
    }
}

extension ManualClockError {
    static let cancelled = ManualClockError(.cancelled, "The task that moved the manual clock was canceled.")

    /// Returns an error that names the listener or alarm that is not quiet.
    static func notQuiet(_ state: ManualClockState) -> ManualClockError {
        let listeners = state.running
        let names = listeners.map { "\(type(of: $0.listener))" }.joined(separator: ", ")
        let waking = listeners.filter { state.alarms[$0.id]?.wake != nil }
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
            "The world did not become quiet within \(state.patience.seconds) s of real time: \(what)."
        )
    }
}
