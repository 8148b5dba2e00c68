import Belfry
import BelfryAgent
import Synchronization

/// A center that runs until it is closed or fails.
final class RunningCenter: Sendable {
    let center: NoticeCenter
    private let store: any RequestStore
    private let prompt: EndablePrompt?
    /// The run, which returns the error that ended it.
    private let run = Mutex<Task<NoticeError?, Never>?>(nil)
    private let isOver = Atomic(false)

    init(_ center: NoticeCenter, over store: any RequestStore, prompt: EndablePrompt?) {
        self.center = center
        self.store = store
        self.prompt = prompt
    }

    /// Whether the center no longer fires anything.
    var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

    /// Returns when the center fires due requests. Throws the store's error, or ``NoticeError/Code/agentUnavailable``
    /// (transient) if the center can't run. `failed` receives the error that ends the run after it has begun.
    func begin(
        hearing hear: @escaping @Sendable (CenterEvent) async -> Void,
        failed: @escaping @Sendable (NoticeError) -> Void
    ) async throws(NoticeError) {
        let events = await center.events()
        let run = Task(executorPreference: CenterThread.shared) { () -> NoticeError? in
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
            self.isOver.store(true, ordering: .sequentiallyConsistent)
            return failure
        }
        self.run.withLock { $0 = run }
        do throws(NoticeError) {
            // Opens the store; the caller receives its error.
            _ = try await center.nextFireDate()
        } catch {
            run.cancel()
            throw error
        }
        await center.engine.begun()
        let hasAlarm = await center.hasAlarm()
        if hasEnded || !hasAlarm, let failure = await run.value {
            throw NoticeError(notRunning: center.app.id, because: failure)
        }
        Task(executorPreference: CenterThread.shared) { if let failure = await run.value { failed(failure) } }
    }

    /// Finishes work in progress without waiting for the user's response. The time is limited, since another agent may
    /// wait for the store.
    func close() async {
        _ = await withTimeout(.seconds(8)) { [center, prompt] in
            await prompt?.end()
            await center.engine.finishWork()
        }
        let run = run.withLock { $0 }
        run?.cancel()
        _ = await run?.value
    }

    /// Closes a center that nobody uses, and its store. The store waits for the disk; if the center's end released it
    /// instead, all centers would wait, on the thread that they share.
    func closeWithStore() async {
        await close()
        try? await store.close()
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
