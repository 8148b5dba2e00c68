import Belfry
import Synchronization

/// Holds up who comes, also those whose task is canceled, until it is opened: what a stuck server does.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(isOpen: Bool = false) { state = Mutex(State(isOpen: isOpen)) }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let all = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in all { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// A person who goes for a walk before answering, and then denies.
struct SlowPrompt: AuthorizationPrompt {
    let gate = Gate()

    func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        await gate.wait()
        return .denied
    }
}
