public import Belfry
import Synchronization

/// A permission prompt with scripted decisions, which records the apps that asked.
///
/// ```swift
/// let prompt = ScriptedPrompt(.undecided, .allowed)   // closed the first time, allowed from the second on
/// ```
///
/// It is no actor, so that a synchronous test can control it.
public final class ScriptedPrompt: AuthorizationPrompt {
    private struct State {
        var decisions: [AuthorizationStatus.Decision]
        var asked: [AppIdentity] = []
    }

    private let state: Mutex<State>
    private let gate = StallGate()

    /// Creates a prompt that returns the decisions in order and repeats the last one. Without decisions, it can't ask.
    public init(_ decisions: AuthorizationStatus.Decision...) { state = Mutex(State(decisions: decisions)) }

    /// The apps that asked, in order.
    public var asked: [AppIdentity] { state.withLock { $0.asked } }

    /// Replaces the decisions from now on.
    public func replaceDecisions(with decisions: AuthorizationStatus.Decision...) {
        state.withLock { $0.decisions = decisions }
    }

    /// Makes questions wait until ``release()``, as when the user takes their time.
    public func stall() { gate.close() }

    /// Decides the waiting questions.
    public func release() { gate.open() }

    /// Returns when `count` questions wait, or when the task is canceled.
    public func waitUntilAsked(count: Int = 1) async { await gate.waitUntilHeld(count) }

    public func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        state.withLock { $0.asked.append(app) }
        guard await gate.pass() else { return .undecided }
        return state.withLock { state in
            state.decisions.count > 1 ? state.decisions.removeFirst() : state.decisions.first ?? .cannotAsk
        }
    }
}
