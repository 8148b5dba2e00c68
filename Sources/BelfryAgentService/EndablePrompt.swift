import Belfry
import Synchronization

/// A prompt whose questions can be ended, so that a stopping center need not wait for the user.
final class EndablePrompt: AuthorizationPrompt {
    private struct State {
        var questions: [Int: Task<AuthorizationStatus.Decision, Never>] = [:]
        var lastID = 0
        var hasEnded = false
    }

    private let prompt: any AuthorizationPrompt
    private let state = Mutex(State())

    init(_ prompt: any AuthorizationPrompt) { self.prompt = prompt }

    func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        let begun = state.withLock { state -> (id: Int, question: Task<AuthorizationStatus.Decision, Never>)? in
            guard !state.hasEnded else { return nil }
            state.lastID += 1
            let question = Task(executorPreference: CenterThread.shared) { [prompt] in await prompt.ask(for: app) }
            state.questions[state.lastID] = question
            return (state.lastID, question)
        }
        guard let begun else { return .undecided }
        defer { state.withLock { _ = $0.questions.removeValue(forKey: begun.id) } }
        return await withTaskCancellationHandler {
            await begun.question.value
        } onCancel: {
            begun.question.cancel()
        }
    }

    /// Ends open questions without an answer, and refuses later ones. Returns when the open ones are withdrawn.
    func end() async {
        let open = state.withLock { state in
            state.hasEnded = true
            return Array(state.questions.values)
        }
        for question in open { question.cancel() }
        for question in open { _ = await question.value }
    }
}
