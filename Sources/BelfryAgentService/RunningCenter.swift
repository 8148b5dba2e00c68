import Belfry
import BelfryAgent
import Synchronization

/// A center that runs, until it is closed or fails.
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

    /// It fires nothing any more.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Returns when what is due fires. Throws why the store can't be opened, and
    /// ``NoticeError/Code/agentUnavailable`` (transient) where the center can't run. `failed` hears why a run has ended
    /// that had begun.
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
                // What a center that never began would have told is not told by anybody.
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
            // Opens the store; what is wrong with it is said to whoever asked.
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

    /// Finishes what is under way, without waiting for the user's answer, and not for long: another agent may wait for
    /// the store.
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
    /// Requests for this app would be kept and never fire.
    fileprivate init(notRunning app: String, because error: NoticeError) {
        self.init(
            .agentUnavailable,
            "The agent can't run the center of '\(app)' now: \(error.message) Nothing was taken: try again later.",
            cause: error.cause
        )
    }
}
