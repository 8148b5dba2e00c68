import Synchronization

/// A value that one task waits for: the first that is given counts, and a timeout and the task's cancellation give one
/// too.
package final class AwaitedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// From any thread. False where there was a value already.
    @discardableResult
    package func give(_ value: Value) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            guard state.value == nil else { return (false, nil) }
            state.value = value
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// For one task. `late` is the value when nothing came within `timeout`, `cancelled` when the task was cancelled.
    package func value(
        within timeout: Duration? = nil,
        late: @autoclosure @escaping @Sendable () -> Value,
        cancelled: @autoclosure @escaping @Sendable () -> Value
    ) async -> Value {
        let timeout = timeout.map { Timeout.begin($0) { self.give(late()) } }
        defer { timeout?.end() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.value == nil { state.waiter = continuation }
                    return state.value
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            give(cancelled())
        }
    }
}

/// Waits on the centers' thread; a cancelled task waits no longer.
package func pause(for duration: Duration) async {
    await AwaitedValue<Void>().value(within: duration, late: (), cancelled: ())
}
