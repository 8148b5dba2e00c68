import Belfry
import CBelfryPlugin
import Synchronization

/// What a call to a plug-in came to, copied out of the plug-in's memory.
struct PluginOutcome: Sendable {
    var status: belfry_status
    var message: String
    var receipt: ReceiptReference?
    var lost: [LostFeature]
    var capabilities: DeliveryCapabilities?
    /// How the completion itself breaks the contract, where it does: what the call did isn't known then.
    var breach: String?
}

/// The calls that a plug-in has not completed yet, by token. Each is completed once: by the plug-in, by its deadline, or
/// by the end of the run; what comes later is reported, not obeyed.
final class PluginCalls: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<PluginOutcome?, Never>] = [:]
        /// Outcomes of calls whose caller is not waiting yet: a plug-in may complete before the call returns.
        var early: [UInt64: PluginOutcome] = [:]
        var open: Set<UInt64> = []
        var nextToken: UInt64 = 1
    }

    private let state = Mutex(State())

    func begin() -> UInt64 {
        state.withLock { state in
            defer { state.nextToken += 1 }
            state.open.insert(state.nextToken)
            return state.nextToken
        }
    }

    /// The outcome, or nil when `limit` passed first.
    func outcome(of token: UInt64, within limit: Duration) async -> PluginOutcome? {
        let deadline = TimeLimits.shared.begin(limit) { self.expire(token) }
        defer { _ = TimeLimits.shared.end(deadline) }
        return await withCheckedContinuation { continuation in
            let early: PluginOutcome?? = state.withLock { state in
                if let outcome = state.early.removeValue(forKey: token) { return .some(outcome) }
                guard state.open.contains(token) else { return .some(nil) }
                state.waiting[token] = continuation
                return .none
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    /// False where the token is not open: a second or late completion, or one that was never begun.
    func complete(_ token: UInt64, _ outcome: PluginOutcome) -> Bool {
        let (isOpen, waiter) = state.withLock { state -> (Bool, CheckedContinuation<PluginOutcome?, Never>?) in
            guard state.open.remove(token) != nil else { return (false, nil) }
            let waiter = state.waiting.removeValue(forKey: token)
            if waiter == nil { state.early[token] = outcome }
            return (true, waiter)
        }
        waiter?.resume(returning: outcome)
        return isOpen
    }

    private func expire(_ token: UInt64) {
        let waiter = state.withLock { state in
            state.open.remove(token)
            return state.waiting.removeValue(forKey: token)
        }
        waiter?.resume(returning: nil)
    }

    /// The run is over: whatever is open is stopped.
    func completeAll(_ outcome: PluginOutcome) {
        let all = state.withLock { state in
            defer {
                state.waiting = [:]
                state.open = []
            }
            for token in state.open where state.waiting[token] == nil { state.early[token] = outcome }
            return Array(state.waiting.values)
        }
        for waiter in all { waiter.resume(returning: outcome) }
    }
}
