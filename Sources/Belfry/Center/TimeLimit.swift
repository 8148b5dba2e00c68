import Synchronization

/// Waits for `work` no longer than `limit`; nil when it took longer.
///
/// Unlike a task group this does not wait for work that ignores its cancellation: it goes on by itself, and what it
/// answers too late goes to `late`.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    late: (@Sendable (Value) -> Void)? = nil,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withCheckedContinuation { continuation in
        let call = TimeLimits.shared.begin(limit) { continuation.resume(returning: nil) }
        let working = Task {
            let value = await work()
            if TimeLimits.shared.end(call) { continuation.resume(returning: value) } else { late?(value) }
        }
        TimeLimits.shared.setTask(working, of: call)
    }
}

/// Begins `work` on this thread and returns when it is over or has come to its first wait; `done` is told its answer, or nil
/// when it takes longer than `limit`. What it answers too late goes to `late`.
func beginWithTimeLimit<Value: Sendable>(
    _ limit: Duration,
    late: @escaping @Sendable (Value) -> Void,
    done: @escaping @Sendable (Value?) -> Void,
    _ work: @escaping @Sendable () async -> Value
) {
    let call = TimeLimits.shared.begin(limit) { done(nil) }
    let working = Task.immediate {
        let value = await work()
        if TimeLimits.shared.end(call) { done(value) } else { late(value) }
    }
    TimeLimits.shared.setTask(working, of: call)
}

/// All calls that a limit is set for. One task sleeps for all of them, until the nearest limit: a sleep of its own for
/// each call would outlive the call by the whole limit.
final class TimeLimits: Sendable {
    static let shared = TimeLimits()

    private struct Call {
        let deadline: ContinuousClock.Instant
        let expire: @Sendable () -> Void
        var task: Task<Void, Never>?
    }

    private struct State {
        var calls: [UInt64: Call] = [:]
        var lastID: UInt64 = 0
        /// When the sleeping task wakes; nil where none sleeps.
        var wakesAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// `expire` is called unless ``end(_:)`` comes first; never under the lock.
    func begin(_ limit: Duration, expire: @escaping @Sendable () -> Void) -> UInt64 {
        let deadline = ContinuousClock.now + limit
        let (id, mustSleep) = state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = Call(deadline: deadline, expire: expire)
            let isSooner = state.wakesAt.map { deadline < $0 } ?? true
            if isSooner { state.wakesAt = deadline }
            return (state.lastID, isSooner)
        }
        if mustSleep { Task { await sleep(until: deadline) } }
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
    func end(_ id: UInt64) -> Bool { state.withLock { $0.calls.removeValue(forKey: id) != nil } }

    private func sleep(until deadline: ContinuousClock.Instant) async {
        var target = deadline
        while true {
            try? await ContinuousClock().sleep(until: target)
            let (expired, next) = state.withLock { state -> ([Call], ContinuousClock.Instant?) in
                // A sooner limit came after this one and has a sleeper of its own.
                guard state.wakesAt == target else { return ([], nil) }
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
            guard let next else { return }
            target = next
        }
    }
}
