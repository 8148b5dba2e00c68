import Belfry
import CBelfryPlugin
import Synchronization

/// The outcome of a call to a plug-in, copied out of the plug-in's memory.
struct PluginOutcome: Sendable {
    let status: belfry_status
    var message = ""
    var receipt: DeliveryReceipt.Reference?
    var lost: [DeliveryReceipt.LostFeature] = []
    var capabilities: DeliveryCapabilities?
    /// How the completion itself breaks the contract, or nil. If it does, the effect of the call is unknown.
    var misbehavior: String?
}

/// The calls that a plug-in has not completed yet, by token. Each call is completed once: by the plug-in, or by the end
/// of the run. Later completions are reported and otherwise ignored.
final class PluginCalls: Sendable {
    private struct Call {
        let continuation: CheckedContinuation<PluginOutcome, Never>
        /// Whether its timeout has passed. The call stays open, because its outcome may have to be undone.
        var isGivenUp: Bool
    }

    private let state = Mutex<(open: [UInt64: Call], lastToken: UInt64)>(([:], 0))

    /// Makes a call with `make` and returns its outcome. The call is given up when the task is canceled, which ends no
    /// wait.
    func outcome(of make: (_ token: UInt64) -> Void) async -> PluginOutcome {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.open[token] = Call(continuation: continuation, isGivenUp: Task.isCancelled) }
                make(token)
            }
        } onCancel: {
            state.withLock { $0.open[token]?.isGivenUp = true }
        }
    }

    /// Whether to make a queued call. A call that timed out in the queue is not made: its caller may have tried again,
    /// and the notice would be shown twice.
    func isWanted(_ token: UInt64) -> Bool { state.withLock { $0.open[token].map { !$0.isGivenUp } ?? false } }

    /// Completes a call. Returns false if no caller waits for it: a second or late completion, or a call never begun.
    @discardableResult
    func complete(_ token: UInt64, _ outcome: PluginOutcome) -> Bool {
        let call = state.withLock { $0.open.removeValue(forKey: token) }
        call?.continuation.resume(returning: outcome)
        return call.map { !$0.isGivenUp } ?? false
    }

    /// Completes every open call with `outcome` at the end of the run.
    func completeAll(_ outcome: PluginOutcome) {
        let open = state.withLock { state in
            defer { state.open = [:] }
            return state.open
        }
        for call in open.values { call.continuation.resume(returning: outcome) }
    }
}
