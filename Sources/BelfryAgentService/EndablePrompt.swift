import Belfry

/// A prompt whose questions can be ended, so that a stopping center need not wait for the user.
final class EndablePrompt: AuthorizationPrompt {
    private struct State {
        var openCount = 0
        var hasEnded = false
    }

    private let prompt: any AuthorizationPrompt
    private let state = AwaitedState(State())

    init(_ prompt: any AuthorizationPrompt) { self.prompt = prompt }

    func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        let hasEnded = state.withLock { state in
            state.openCount += 1
            return state.hasEnded
        }
        defer { state.withLock { $0.openCount -= 1 } }
        guard !hasEnded else { return .undecided }
        return await withTaskGroup(of: AuthorizationStatus.Decision.self) { [prompt, state] group in
            group.addTask(executorPreference: CenterThread.shared) { await prompt.ask(for: app) }
            group.addTask(executorPreference: CenterThread.shared) {
                _ = await state.waitUnlessCancelled { $0.hasEnded }
                return .undecided
            }
            defer { group.cancelAll() }
            return await group.next() ?? .undecided
        }
    }

    /// Ends open questions without a response, and refuses later ones. Returns when the open ones are withdrawn.
    func end() async {
        state.withLock { $0.hasEnded = true }
        await state.wait { $0.openCount == 0 }
    }
}
