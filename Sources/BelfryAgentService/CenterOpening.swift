import Belfry

/// A center and the task that runs it.
struct RunningCenter: Sendable {
    let center: NoticeCenter
    let task: Task<Void, Never>
}

/// Opens a center once, for all who ask; a failure is forgotten, so that the next one tries again.
actor Opening {
    private var running: RunningCenter?
    private var attempt: Task<Result<RunningCenter, NoticeError>, Never>?

    var opened: NoticeCenter? { running?.center }

    func value(
        _ begin: @escaping @Sendable () async throws(NoticeError) -> RunningCenter
    ) async throws(NoticeError) -> NoticeCenter {
        if let running { return running.center }
        let attempt =
            attempt
            ?? Task(executorPreference: CenterThread.shared) {
                do throws(NoticeError) { return .success(try await begin()) } catch { return .failure(error) }
            }
        self.attempt = attempt
        let result = await attempt.value
        self.attempt = nil
        let running = try result.get()
        self.running = running
        return running.center
    }

    func close() async {
        guard let running else { return }
        self.running = nil
        await running.center.engine.finishWork()
        running.task.cancel()
        await running.task.value
    }
}
