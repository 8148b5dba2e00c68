import Belfry
import CBelfryPlugin
import Synchronization

/// What a call to a plug-in came to, copied out of the plug-in's memory.
struct PluginOutcome: Sendable {
    var status: belfry_status
    var message: String
    var receipt: DeliveryReceipt.Reference?
    var lost: [DeliveryReceipt.LostFeature]
    var capabilities: DeliveryCapabilities?
    /// How the completion itself breaks the contract, where it does: what the call did isn't known then.
    var breach: String?
}

/// The calls that a plug-in has not completed yet, by token. Each is completed once: by the plug-in, by its deadline,
/// or by the end of the run; what comes later is reported, not obeyed.
final class PluginCalls: Sendable {
    typealias Handler = @Sendable (PluginOutcome) -> Void

    private struct Call {
        var waiter: CheckedContinuation<PluginOutcome?, Never>?
        /// Gets the outcome of a call that nobody waits for: it was given up, or begun unattended.
        let handler: Handler?
        var isAttended = true
        var isGivenUp = false
    }

    private struct State {
        var open: [UInt64: Call] = [:]
        /// Outcomes of calls whose caller is not waiting yet: a plug-in may complete before the call returns.
        var early: [UInt64: PluginOutcome] = [:]
        var nextToken: UInt64 = 1

        mutating func begin(_ call: Call) -> UInt64 {
            defer { nextToken += 1 }
            open[nextToken] = call
            return nextToken
        }
    }

    private let state = Mutex(State())

    /// A call whose caller asks for its ``outcome(of:within:)``. `late` gets the outcome that comes after the limit.
    func begin(late: Handler? = nil) -> UInt64 { state.withLock { $0.begin(Call(handler: late)) } }

    /// A call that nobody waits for.
    func beginUnattended(_ handler: @escaping Handler) -> UInt64 {
        state.withLock { $0.begin(Call(handler: handler, isAttended: false)) }
    }

    /// Whether a call that was queued is to be made. One that was given up meanwhile is not: its caller may have tried
    /// again, and the notice would be there twice.
    func isWanted(_ token: UInt64) -> Bool {
        state.withLock { state in
            guard let call = state.open[token] else { return false }
            if call.isGivenUp { state.open[token] = nil }
            return !call.isGivenUp
        }
    }

    /// The outcome, or nil when `limit` passed first.
    func outcome(of token: UInt64, within limit: Duration) async -> PluginOutcome? {
        let timeout = Timeout.begin(limit) { self.expire(token) }
        defer { timeout.end() }
        return await withCheckedContinuation { continuation in
            let known: PluginOutcome?? = state.withLock { state in
                if let outcome = state.early.removeValue(forKey: token) { return .some(outcome) }
                guard let call = state.open[token], !call.isGivenUp else { return .some(nil) }
                state.open[token]?.waiter = continuation
                return .none
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// False where the token is not open: a second or late completion, or one that was never begun.
    func complete(_ token: UInt64, _ outcome: PluginOutcome) -> Bool {
        let call = state.withLock { state in
            let call = state.open.removeValue(forKey: token)
            if let call, call.isAttended, !call.isGivenUp, call.waiter == nil { state.early[token] = outcome }
            return call
        }
        guard let call else { return false }
        call.waiter?.resume(returning: outcome)
        if call.isGivenUp || !call.isAttended { call.handler?(outcome) }
        return !call.isGivenUp
    }

    private func expire(_ token: UInt64) {
        let waiter = state.withLock { state in
            state.open[token]?.isGivenUp = true
            defer { state.open[token]?.waiter = nil }
            return state.open[token]?.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The run is over: whatever is open is stopped.
    func completeAll(_ outcome: PluginOutcome) {
        let waiters = state.withLock { state in
            defer { state.open = [:] }
            for (token, call) in state.open where call.isAttended && !call.isGivenUp && call.waiter == nil {
                state.early[token] = outcome
            }
            return state.open.values.compactMap(\.waiter)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}
