import Synchronization

/// A state under a lock, and tasks that wait until a condition of it holds.
///
/// Conditions are looked at under the lock after each change, in the order in which the tasks came: O(tasks that wait).
package final class AwaitedState<State: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (State) -> Bool
        /// False: it was given up.
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Content {
        var state: State
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        mutating func takeMetWaiters() -> [CheckedContinuation<Bool, Never>] {
            guard waiters.contains(where: { $0.value.isMet(state) }) else { return [] }
            let met = waiters.filter { $0.value.isMet(state) }.sorted { $0.key < $1.key }
            for (id, _) in met { waiters[id] = nil }
            return met.map(\.value.continuation)
        }
    }

    private let content: Mutex<Content>

    package init(_ state: State) { content = Mutex(Content(state: state)) }

    /// The current state. From any thread; it looks at no condition, and so costs less than `withLock`.
    package var current: State { content.withLock { $0.state } }

    /// Reads or changes the state. From any thread.
    package func withLock<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let (result, met) = content.withLock { content in
            let result = Result { () throws(Failure) in try body(&content.state) }
            return (result, content.takeMetWaiters())
        }
        for waiter in met { waiter.resume(returning: true) }
        return try result.get()
    }

    /// Returns when the condition holds, whatever becomes of the task.
    package func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
        let id = content.withLock { $0.makeID() }
        _ = await withCheckedContinuation { begin(id, Waiter(isMet: isMet, continuation: $0)) }
    }

    /// True when the condition holds, false when the task was canceled first, or the time has passed.
    package func waitUnlessCancelled(
        within timeout: Duration? = nil,
        until isMet: @escaping @Sendable (State) -> Bool
    ) async -> Bool {
        let id = content.withLock { $0.makeID() }
        var timer: Timeout?
        defer { timer?.end() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, Waiter(isMet: isMet, continuation: continuation))
                // Only now: a timeout before the waiter is registered would cancel nothing.
                timer = timeout.map { Timeout.begin($0) { self.cancel(id) } }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func begin(_ id: UInt64, _ waiter: Waiter) {
        let isMet = content.withLock { content in
            let isMet = waiter.isMet(content.state)
            if !isMet { content.waiters[id] = waiter }
            return isMet
        }
        if isMet { waiter.continuation.resume(returning: true) }
    }

    private func cancel(_ id: UInt64) {
        content.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: false)
    }
}
