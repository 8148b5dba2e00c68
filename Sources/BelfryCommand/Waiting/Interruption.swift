import Synchronization

/// Cancels what is attached when it happens; what is attached later is cancelled at once.
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

    /// Whether it has happened meanwhile.
    func detach() -> Bool {
        state.withLock { state in
            state.cancel = nil
            return state.hasHappened
        }
    }

    /// False where there is nothing to cancel.
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
