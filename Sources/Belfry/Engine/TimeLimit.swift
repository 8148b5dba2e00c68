import Synchronization

/// Waits for `work` no longer than `limit`; nil when it took longer. The work runs on `executor`.
///
/// Unlike a task group this does not wait for work that ignores its cancellation: it goes on by itself, and what it
/// answers too late goes to `late`.
package nonisolated(nonsending) func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    on executor: any TaskExecutor = CenterThread.shared,
    late: (@Sendable (Value) -> Void)? = nil,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withCheckedContinuation { continuation in
        let call = TimeLimits.shared.begin(limit) { continuation.resume(returning: nil) }
        let working = Task(executorPreference: executor) {
            let value = await work()
            if TimeLimits.shared.end(call) { continuation.resume(returning: value) } else { late?(value) }
        }
        TimeLimits.shared.setTask(working, of: call)
    }
}

/// What begins `work` on the thread that calls it, and returns when that is over or has come to its first wait. `done` gets its
/// result, or nil where there is none within `limit` from now on; what comes later goes to `late`.
func prepareWithTimeLimit<Value: Sendable>(
    _ limit: Duration,
    on executor: any TaskExecutor,
    late: @escaping @Sendable (Value) -> Void,
    done: @escaping @Sendable (Value?) -> Void,
    _ work: @escaping @Sendable () async -> Value
) -> @Sendable () -> Void {
    let call = TimeLimits.shared.begin(limit) { done(nil) }
    return {
        let working = Task.immediate(executorPreference: executor) {
            let value = await work()
            if TimeLimits.shared.end(call) { done(value) } else { late(value) }
        }
        TimeLimits.shared.setTask(working, of: call)
    }
}

/// All calls that a limit is set for. One timer waits for all of them, for the nearest limit: one of its own for each call
/// would outlive the call by the whole limit.
package final class TimeLimits: Sendable {
    package static let shared = TimeLimits()

    private struct Call {
        let deadline: ContinuousClock.Instant
        let expire: @Sendable () -> Void
        var task: Task<Void, Never>?
    }

    private struct State {
        var calls: [UInt64: Call] = [:]
        var lastID: UInt64 = 0
        /// When the timer goes off; nil where none is set.
        var wakesAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// `expire` is called unless ``end(_:)`` comes first; never under the lock.
    package func begin(_ limit: Duration, expire: @escaping @Sendable () -> Void) -> UInt64 {
        let deadline = ContinuousClock.now + limit
        let (id, isSooner) = state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = Call(deadline: deadline, expire: expire)
            let isSooner = state.wakesAt.map { deadline < $0 } ?? true
            if isSooner { state.wakesAt = deadline }
            return (state.lastID, isSooner)
        }
        if isSooner { wake(at: deadline) }
        return id
    }

    /// The task to be cancelled where the call takes too long.
    func setTask(_ task: Task<Void, Never>, of id: UInt64) {
        let hasEnded = state.withLock { state in
            state.calls[id]?.task = task
            return state.calls[id] == nil
        }
        // Done or expired: cancelling what is done does nothing.
        if hasEnded { task.cancel() }
    }

    /// False where the call has expired.
    package func end(_ id: UInt64) -> Bool { state.withLock { $0.calls.removeValue(forKey: id) != nil } }

    private func wake(at deadline: ContinuousClock.Instant) {
        CenterThread.shared.wait(until: deadline) { self.expire(since: deadline) }
    }

    private func expire(since deadline: ContinuousClock.Instant) {
        let (expired, next) = state.withLock { state -> ([Call], ContinuousClock.Instant?) in
            // A sooner limit came after this one and has a timer of its own.
            guard state.wakesAt == deadline else { return ([], nil) }
            let now = ContinuousClock.now
            let expired = state.calls.filter { $0.value.deadline <= now }
            for id in expired.keys { state.calls[id] = nil }
            state.wakesAt = state.calls.values.map(\.deadline).min()
            return (expired.sorted { $0.key < $1.key }.map(\.value), state.wakesAt)
        }
        for call in expired {
            call.task?.cancel()
            call.expire()
        }
        if let next { wake(at: next) }
    }
}
