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
        var answers: [AuthorizationStatus.Decision]
        var asked: [AppIdentity] = []
    }

    private let state: Mutex<State>
    private let gate = StallGate()

    /// Creates a prompt that returns the decisions in order and repeats the last one. Without decisions, it can't ask.
    public init(_ answers: AuthorizationStatus.Decision...) { state = Mutex(State(answers: answers)) }

    /// The apps that asked, in order.
    public var asked: [AppIdentity] { state.withLock { $0.asked } }

    /// Replaces the decisions from now on.
    public func answer(_ answers: AuthorizationStatus.Decision...) { state.withLock { $0.answers = answers } }

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
            state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? .cannotAsk
        }
    }
}
