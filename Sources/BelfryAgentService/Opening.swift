import Belfry
import BelfryAgent

/// Opens a center once, for all who ask, and closes it when nobody needs it; a failure is forgotten, so that the next
/// one tries again.
actor Opening {
    private var running: RunningCenter?
    private var attempt: Task<Result<RunningCenter, NoticeError>, Never>?
    private var closing: Task<Void, Never>?
    /// For good.
    private var isClosed = false
    private var users = 0
    /// How often it was used.
    private(set) var uses = 0

    var opened: NoticeCenter? { running.flatMap { $0.hasEnded ? nil : $0.center } }

    /// The center, which stays open until ``release()``.
    func acquire(
        _ begin: @escaping @Sendable () async throws(NoticeError) -> RunningCenter
    ) async throws(NoticeError) -> NoticeCenter {
        users += 1
        uses += 1
        do throws(NoticeError) { return try await value(begin) } catch {
            users -= 1
            throw error
        }
    }

    func release() { users -= 1 }

    /// Whether it may be needed without anybody's asking: something is pending, shown, or waits to be taken.
    func isIdle() async -> Bool {
        guard attempt == nil else { return false }
        return await opened?.isIdle() ?? true
    }

    private func value(
        _ begin: @escaping @Sendable () async throws(NoticeError) -> RunningCenter
    ) async throws(NoticeError) -> NoticeCenter {
        await closing?.value
        if let opened { return opened }
        // One that has failed: the next one needs its store.
        running = nil
        guard !isClosed else { throw NoticeError(.agentUnavailable, "The agent is about to end: try again.") }
        let attempt =
            attempt
            ?? Task(executorPreference: CenterThread.shared) {
                do throws(NoticeError) { return .success(try await begin()) } catch { return .failure(error) }
            }
        self.attempt = attempt
        let result = await attempt.value
        if self.attempt == attempt { self.attempt = nil }
        let running = try result.get()
        if !isClosed, self.running == nil || self.running?.hasEnded == true { self.running = running }
        return running.center
    }

    /// Where nobody uses it, and nobody has since it was used so often.
    func closeUnused(since uses: Int) async {
        guard users == 0, self.uses == uses, closing == nil, let running, !running.hasEnded else { return }
        guard await running.center.isIdle(), users == 0, self.uses == uses, closing == nil else { return }
        self.running = nil
        let closing = Task(executorPreference: CenterThread.shared) { await running.close() }
        self.closing = closing
        await closing.value
        self.closing = nil
    }

    /// For good. What is being opened is closed when it is there.
    func close() async {
        isClosed = true
        await closing?.value
        if let attempt, case .success(let running) = await attempt.value { self.running = running }
        guard let running else { return }
        self.running = nil
        await running.close()
    }
}
