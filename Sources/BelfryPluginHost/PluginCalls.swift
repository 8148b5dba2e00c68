import Belfry
import CBelfryPlugin

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
        /// Receives the outcome of a call that no caller waits for: it timed out, or was begun unattended.
        let handler: Handler?
        var isAttended = true
        var isGivenUp = false
    }

    private struct State {
        var open: [UInt64: Call] = [:]
        /// Outcomes that their callers have not taken yet: a plug-in may complete a call before the call returns.
        var outcomes: [UInt64: PluginOutcome] = [:]
        var nextToken: UInt64 = 1

        mutating func begin(_ call: Call) -> UInt64 {
            defer { nextToken += 1 }
            open[nextToken] = call
            return nextToken
        }

        /// Whether a caller has nothing left to wait for.
        func isOver(_ token: UInt64) -> Bool { open[token]?.isGivenUp ?? true }
    }

    private let state = AwaitedState(State())

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

    /// Waits for the outcome; returns nil if `timeout` passes first.
    func outcome(of token: UInt64, within timeout: Duration) async -> PluginOutcome? {
        let timeout = Timeout.begin(timeout) { self.state.withLock { $0.open[token]?.isGivenUp = true } }
        defer { timeout.end() }
        await state.wait { $0.isOver(token) }
        return state.withLock { $0.outcomes.removeValue(forKey: token) }
    }

    /// Completes a call. Returns false if the token is not open: a second or late completion, or a call never begun.
    func complete(_ token: UInt64, _ outcome: PluginOutcome) -> Bool {
        let call = state.withLock { state in
            let call = state.open.removeValue(forKey: token)
            if let call, call.isAttended, !call.isGivenUp { state.outcomes[token] = outcome }
            return call
        }
        guard let call else { return false }
        if call.isGivenUp || !call.isAttended { call.handler?(outcome) }
        return !call.isGivenUp
    }

    /// Completes every open call with `outcome` at the end of the run.
    func completeAll(_ outcome: PluginOutcome) {
        state.withLock { state in
            for (token, call) in state.open where call.isAttended && !call.isGivenUp { state.outcomes[token] = outcome }
            state.open = [:]
        }
    }
}
