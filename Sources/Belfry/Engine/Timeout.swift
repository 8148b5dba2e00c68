import Synchronization

/// An action that runs after a time, unless it is ended first.
///
/// All bounded waits use it: ``withTimeout(_:on:late:_:)`` for work with a result, ``AwaitedValue`` for a value from
/// elsewhere, ``pause(for:)`` for a delay.
package struct Timeout: Sendable {
    private let id: UInt64

    /// Starts a timeout. `expire` is called on the centers' thread unless ``end()`` is called first.
    package static func begin(_ duration: Duration, expire: @escaping @Sendable () -> Void) -> Timeout {
        Timeout(id: Timeouts.shared.begin(duration, expire: expire))
    }

    /// Ends the timeout. Returns false if it has expired, or was ended before.
    @discardableResult package func end() -> Bool { Timeouts.shared.end(id) }

    /// Sets the task to cancel when the timeout expires.
    func setTask(_ task: Task<Void, Never>) { Timeouts.shared.setTask(task, of: id) }
}

/// Waits for `work` for at most `timeout`; returns nil if it takes longer. The work runs on `executor`.
///
/// Unlike a task group, this doesn't wait for work that ignores its cancellation. Such work keeps running, and its late
/// result is passed to `late`.
package func withTimeout<Value: Sendable>(
    _ timeout: Duration,
    on executor: any TaskExecutor = CenterThread.shared,
    late: (@Sendable (Value) -> Void)? = nil,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withCheckedContinuation { continuation in
        let timeout = Timeout.begin(timeout) { continuation.resume(returning: nil) }
        let task = Task(executorPreference: executor) {
            let value = await work()
            if timeout.end() { continuation.resume(returning: value) } else { late?(value) }
        }
        timeout.setTask(task)
    }
}

/// All active timeouts. They share one timer for the nearest deadline: a timer per timeout would outlive the work.
private final class Timeouts: Sendable {
    static let shared = Timeouts()

    private struct Entry {
        let deadline: SuspendingClock.Instant
        let expire: @Sendable () -> Void
        var task: Task<Void, Never>?
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var lastID: UInt64 = 0
        /// The timer's deadline; nil if no timer is set.
        var wakesAt: SuspendingClock.Instant?
    }

    private let state = Mutex(State())

    /// Starts a timeout. `expire` is never called under the lock.
    func begin(_ duration: Duration, expire: @escaping @Sendable () -> Void) -> UInt64 {
        let deadline = SuspendingClock.now + duration
        let (id, isSooner) = state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = Entry(deadline: deadline, expire: expire)
            let isSooner = state.wakesAt.map { deadline < $0 } ?? true
            if isSooner { state.wakesAt = deadline }
            return (state.lastID, isSooner)
        }
        if isSooner { wake(at: deadline) }
        return id
    }

    func setTask(_ task: Task<Void, Never>, of id: UInt64) {
        let hasEnded = state.withLock { state in
            state.entries[id]?.task = task
            return state.entries[id] == nil
        }
        // Work that is done ignores its cancellation.
        if hasEnded { task.cancel() }
    }

    func end(_ id: UInt64) -> Bool { state.withLock { $0.entries.removeValue(forKey: id) != nil } }

    private func wake(at deadline: SuspendingClock.Instant) {
        CenterThread.shared.wait(until: deadline) { self.expire(since: deadline) }
    }

    private func expire(since deadline: SuspendingClock.Instant) {
        let (expired, next) = state.withLock { state -> ([Entry], SuspendingClock.Instant?) in
            // A sooner timeout was added after this one, with a timer of its own.
            guard state.wakesAt == deadline else { return ([], nil) }
            let now = SuspendingClock.now
            let expired = state.entries.filter { $0.value.deadline <= now }
            for id in expired.keys { state.entries[id] = nil }
            state.wakesAt = state.entries.values.map(\.deadline).min()
            return (expired.sorted { $0.key < $1.key }.map(\.value), state.wakesAt)
        }
        for entry in expired {
            entry.task?.cancel()
            entry.expire()
        }
        if let next { wake(at: next) }
    }
}
