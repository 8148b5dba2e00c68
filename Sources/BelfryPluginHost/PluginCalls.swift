import Belfry
import CBelfryPlugin
import Synchronization

/// The outcome of a call to a plug-in, copied out of the plug-in's memory.
struct PluginOutcome: Sendable {
    var status: belfry_status
    var message: String
    var receipt: DeliveryReceipt.Reference?
    var lost: [DeliveryReceipt.LostFeature]
    var capabilities: DeliveryCapabilities?
    /// How the completion itself breaks the contract, or nil. If it does, the effect of the call is unknown.
    var breach: String?
}

/// The calls that a plug-in has not completed yet, by token. Each call is completed once: by the plug-in, by its
/// timeout, or by the end of the run. Later completions are reported and otherwise ignored.
final class PluginCalls: Sendable {
    typealias Handler = @Sendable (PluginOutcome) -> Void

    private struct Call {
        var waiter: CheckedContinuation<PluginOutcome?, Never>?
        /// Receives the outcome of a call that no caller waits for: it timed out, or was begun unattended.
        let handler: Handler?
        var isAttended = true
        var isGivenUp = false
    }

    private struct State {
        var open: [UInt64: Call] = [:]
        /// Outcomes of calls whose caller is not waiting yet: a plug-in may complete a call before the call returns.
        var early: [UInt64: PluginOutcome] = [:]
        var nextToken: UInt64 = 1

        mutating func begin(_ call: Call) -> UInt64 {
            defer { nextToken += 1 }
            open[nextToken] = call
            return nextToken
        }
    }

    private let state = Mutex(State())

    /// Begins a call whose caller awaits ``outcome(of:within:)``. `late` receives an outcome after the timeout.
    func begin(late: Handler? = nil) -> UInt64 { state.withLock { $0.begin(Call(handler: late)) } }

    /// Begins a call that no caller waits for; `handler` receives its outcome.
    func beginUnattended(_ handler: @escaping Handler) -> UInt64 {
        state.withLock { $0.begin(Call(handler: handler, isAttended: false)) }
    }

    /// Whether to make a queued call. A call that timed out in the queue is not made: its caller may have tried again,
    /// and the notice would be shown twice.
    func isWanted(_ token: UInt64) -> Bool {
        state.withLock { state in
            guard let call = state.open[token] else { return false }
            if call.isGivenUp { state.open[token] = nil }
            return !call.isGivenUp
        }
    }

    /// Waits for the outcome; returns nil if `limit` passes first.
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

    /// Completes a call. Returns false if the token is not open: a second or late completion, or a call never begun.
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

    /// Completes every open call with `outcome` at the end of the run.
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
