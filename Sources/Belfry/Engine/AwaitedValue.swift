import Synchronization

/// A value that one task waits for. The first value given counts; a timeout and the task's cancellation also give one.
package final class AwaitedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Gives the value, from any thread. Returns false if there already was one.
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

    /// Waits for the value; only one task may call this. Returns `late` after `timeout`, and `cancelled` if the task is
    /// canceled.
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

/// Suspends the task for `duration`, by a timer of the centers' thread. Cancellation ends the wait early.
package func pause(for duration: Duration) async {
    await AwaitedValue<Void>().value(within: duration, late: (), cancelled: ())
}
