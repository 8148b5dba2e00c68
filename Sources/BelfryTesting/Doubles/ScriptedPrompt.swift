public import Belfry
import Synchronization

/// A prompt that answers as it was told, and remembers who was asked about.
///
/// ```swift
/// let prompt = ScriptedPrompt(.unanswered, .allowed)   // closed the first time, allowed from the second on
/// ```
///
/// A lock and no actor, so that a synchronous test can give its commands.
public final class ScriptedPrompt: AuthorizationPrompt {
    private struct State {
        var answers: [AuthorizationStatus.Answer]
        var asked: [AppIdentity] = []
    }

    private let state: Mutex<State>
    private let gate = StallGate()

    /// One answer after another; the last one is given again and again. Without any, nobody can be asked.
    public init(_ answers: AuthorizationStatus.Answer...) { state = Mutex(State(answers: answers)) }

    /// The apps that were asked about, in order.
    public var asked: [AppIdentity] { state.withLock { $0.asked } }

    /// What is answered from now on.
    public func answer(_ answers: AuthorizationStatus.Answer...) { state.withLock { $0.answers = answers } }

    /// The user takes their time: questions wait until ``release()``.
    public func stall() { gate.close() }

    /// Answers the questions that wait.
    public func release() { gate.open() }

    /// Returns when so many questions wait, or when the task is cancelled.
    public func waitUntilAsked(count: Int = 1) async { await gate.waitUntilHeld(count) }

    public func ask(for app: AppIdentity) async -> AuthorizationStatus.Answer {
        state.withLock { $0.asked.append(app) }
        guard await gate.pass() else { return .unanswered }
        return state.withLock { state in
            state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? .cannotAsk
        }
    }
}
