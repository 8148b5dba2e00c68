import Belfry
import Synchronization

/// Cancels the attached work when it happens; work that is attached later is canceled immediately.
final class Interruption: Sendable {
    private struct State: Sendable {
        var hasHappened = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func attach(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.hasHappened
        }
        if isLate { cancel() }
    }

    /// Detaches the work, and returns whether the interruption has happened.
    func detach() -> Bool {
        state.withLock { state in
            state.cancel = nil
            return state.hasHappened
        }
    }

    /// Cancels the attached work. Returns false if there is none.
    @discardableResult
    func happen() -> Bool {
        let cancel = state.withLock { state in
            state.hasHappened = true
            return state.cancel
        }
        cancel?()
        return cancel != nil
    }
}

extension NoticeCenter {
    /// Runs the center while `body` runs. An interruption cancels only `body`, so that its cleanup can still use the
    /// center. The center ends after `body`.
    func runInterruptibly<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        let interruption = Interruption()
        let executor = AppThreads.preference
        let session = Task(executorPreference: executor) {
            try await self.run { center in
                let work = Task(executorPreference: executor) { try await body(center) }
                interruption.attach { work.cancel() }
                return try await withTaskCancellationHandler {
                    try await work.value
                } onCancel: {
                    work.cancel()
                }
            }
        }
        return try await withTaskCancellationHandler {
            try await session.value
        } onCancel: {
            interruption.happen()
        }
    }
}
