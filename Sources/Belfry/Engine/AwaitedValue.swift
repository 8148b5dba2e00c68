/// A value that one task waits for. The first value given counts; a timeout and the task's cancellation also give one.
package final class AwaitedValue<Value: Sendable>: Sendable {
    private let given = AwaitedState<Value?>(nil)

    package init() {}

    /// Gives the value, from any thread. Returns false if there already was one.
    @discardableResult
    package func give(_ value: Value) -> Bool {
        given.withLock { given in
            guard given == nil else { return false }
            given = value
            return true
        }
    }

    /// Waits for the value. Returns `late` after `timeout`, and `cancelled` if the task is canceled.
    package func value(
        within timeout: Duration? = nil,
        late: @autoclosure @escaping @Sendable () -> Value,
        cancelled: @autoclosure @escaping @Sendable () -> Value
    ) async -> Value {
        _ = await given.waitUnlessCancelled(within: timeout) { $0 != nil }
        return given.withLock { given in
            let value = given ?? (Task.isCancelled ? cancelled() : late())
            given = value
            return value
        }
    }
}

/// Suspends the task for `duration`, by a timer of the centers' thread. Cancellation ends the wait early.
package func pause(for duration: Duration) async {
    await AwaitedValue<Void>().value(within: duration, late: (), cancelled: ())
}

/// Returns when the task is canceled, for backends whose run only waits.
package func untilCancelled() async { await AwaitedValue<Void>().value(late: (), cancelled: ()) }
