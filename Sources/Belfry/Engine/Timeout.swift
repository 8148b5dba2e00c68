import BelfryLoop
import Synchronization

/// An action that runs after a time, unless it is ended first.
///
/// All bounded waits use it: ``withTimeout(_:on:late:_:)`` for work with a result, ``AwaitedValue`` for a value from
/// elsewhere, ``pause(for:)`` for a delay.
package final class Timeout: Sendable {
    private struct State {
        /// The timer of the centers' thread.
        var timer: UInt64?
        /// The task to cancel when the timeout expires.
        var task: Task<Void, Never>?
        /// It has expired or was ended.
        var isOver = false
    }

    private let state = Mutex(State())

    private init() {}

    /// Starts a timeout. `expire` is called on the centers' thread unless ``end()`` is called first.
    package static func begin(_ duration: Duration, expire: @escaping @Sendable () -> Void) -> Timeout {
        let timeout = Timeout()
        let timer = CenterThread.shared.loop.wait(until: .now + duration) {
            guard let over = timeout.finish() else { return }
            over.task?.cancel()
            expire()
        }
        timeout.state.withLock { $0.timer = timer }
        return timeout
    }

    /// Ends the timeout. Returns false if it has expired, or was ended before.
    @discardableResult
    package func end() -> Bool {
        guard let over = finish() else { return false }
        if let timer = over.timer { CenterThread.shared.loop.cancel(timer) }
        return true
    }

    /// Whether it has expired or was ended.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Sets the task to cancel when the timeout expires.
    func setTask(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        // Work that is done ignores its cancellation.
        if isOver { task.cancel() }
    }

    /// Returns the state before, for the one caller that the timeout is over for; nil to all later ones.
    private func finish() -> State? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state = State(isOver: true) }
            return state
        }
    }
}

/// Waits for `work` for at most `timeout`; returns nil if it takes longer. The work runs on `executor`.
///
/// Unlike a task group, this doesn't wait for work that ignores its cancellation. Such work keeps running, and its late
/// result is passed to `late`. Work that has not begun in time, because its executor is busy, never begins.
package func withTimeout<Value: Sendable>(
    _ timeout: Duration,
    on executor: any TaskExecutor = CenterThread.shared,
    late: (@Sendable (Value) -> Void)? = nil,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withCheckedContinuation { continuation in
        let timeout = Timeout.begin(timeout) { continuation.resume(returning: nil) }
        let task = Task(executorPreference: executor) {
            guard !timeout.isOver else { return }
            let value = await work()
            if timeout.end() { continuation.resume(returning: value) } else { late?(value) }
        }
        timeout.setTask(task)
    }
}
