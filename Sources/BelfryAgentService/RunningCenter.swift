import Belfry
import BelfryAgent
import Synchronization

/// A center that runs until it is closed or fails.
final class RunningCenter: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var hasBegun = false
        var hasEnded = false
        var failure: NoticeError?
    }

    let center: NoticeCenter
    private let prompt: EndablePrompt?
    private let state = Mutex(State())

    init(_ center: NoticeCenter, prompt: EndablePrompt?) {
        self.center = center
        self.prompt = prompt
    }

    /// Whether the center no longer fires anything.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Returns when the center fires due requests. Throws the store's error, or ``NoticeError/Code/agentUnavailable``
    /// (transient) if the center can't run. `failed` receives the error that ends the run after it has begun.
    func begin(
        hearing hear: @escaping @Sendable (CenterEvent) async -> Void,
        failed: @escaping @Sendable (NoticeError) -> Void
    ) async throws(NoticeError) {
        let events = await center.events()
        let task = Task(executorPreference: CenterThread.shared) {
            let listening = Task(executorPreference: CenterThread.shared) {
                for await event in events { await hear(event) }
            }
            var failure: NoticeError?
            do throws(NoticeError) { try await self.center.run() } catch {
                failure = error
                // Events of a center that never began are dropped.
                listening.cancel()
            }
            await listening.value
            let hadBegun = self.state.withLock { state in
                state.hasEnded = true
                state.failure = failure
                return state.hasBegun
            }
            if hadBegun, let failure { failed(failure) }
        }
        state.withLock { $0.task = task }
        do throws(NoticeError) {
            // Opens the store; the caller receives its error.
            _ = try await center.nextFireDate()
        } catch {
            task.cancel()
            throw error
        }
        await center.engine.begun()
        if !(await center.hasAlarm()) { await task.value }
        let failure = state.withLock { state in
            state.hasBegun = true
            return state.failure
        }
        if let failure { throw NoticeError(notRunning: center.app.id, because: failure) }
    }

    /// Finishes work in progress without waiting for the user's answer. The time is limited, since another agent may
    /// wait for the store.
    func close() async {
        _ = await withTimeout(.seconds(8)) { [center, prompt] in
            await prompt?.end()
            await center.engine.finishWork()
        }
        let task = state.withLock { $0.task }
        task?.cancel()
        await task?.value
    }
}

extension NoticeError {
    /// Creates the error for an app whose requests would be kept and never fire.
    fileprivate init(notRunning app: String, because error: NoticeError) {
        self.init(
            .agentUnavailable,
            "The agent can't run the center of '\(app)' now: \(error.message) Nothing was taken: try again later.",
            cause: error.cause
        )
    }
}
