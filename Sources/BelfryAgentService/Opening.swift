import Belfry
import BelfryBus

/// Opens a center once for all callers, and closes it when unused. After an error the next call tries again.
actor Opening {
    private var running: RunningCenter?
    private var attempt: Task<Result<RunningCenter, NoticeError>, Never>?
    private var closing: Task<Void, Never>?
    /// Whether the center is closed for good.
    private var isClosed = false
    private var users = 0
    /// The total number of uses.
    private(set) var uses = 0

    var opened: NoticeCenter? { running.flatMap { $0.hasEnded ? nil : $0.center } }

    /// Returns the center, which stays open until ``release()``. Throws the error of `begin`; after ``close()``, what a
    /// call gets from an agent that has gone.
    func acquire(
        _ begin: @escaping @Sendable () async throws(NoticeError) -> RunningCenter
    ) async throws -> NoticeCenter {
        users += 1
        uses += 1
        do { return try await value(begin) } catch {
            users -= 1
            throw error
        }
    }

    func release() { users -= 1 }

    /// Whether the center has no work without calls: nothing is pending or on the screen, no response waits, and the
    /// app has no badge.
    func isIdle() async -> Bool {
        guard attempt == nil else { return false }
        return await opened?.isIdle() ?? true
    }

    private func value(
        _ begin: @escaping @Sendable () async throws(NoticeError) -> RunningCenter
    ) async throws -> NoticeCenter {
        await closing?.value
        if let opened { return opened }
        // A center that has failed is released first: the next one needs its store.
        running = nil
        guard !isClosed else {
            // The agent has released its name, so the client's second attempt finds the next one.
            throw BusError.reply("org.freedesktop.DBus.Error.NoReply", "The agent is about to end: try again.")
        }
        let attempt =
            attempt
            ?? Task(executorPreference: CenterThread.shared) { await Result(catching: begin) }
        self.attempt = attempt
        let result = await attempt.value
        if self.attempt == attempt { self.attempt = nil }
        let running = try result.get()
        if !isClosed, self.running == nil || self.running?.hasEnded == true { self.running = running }
        return running.center
    }

    /// Closes the center if it has no users and was not used again since the count was `uses`.
    func closeUnused(since uses: Int) async {
        guard users == 0, self.uses == uses, closing == nil, let running, !running.hasEnded else { return }
        guard await running.center.isIdle(), users == 0, self.uses == uses, closing == nil else { return }
        self.running = nil
        let closing = Task(executorPreference: CenterThread.shared) { await running.closeWithStore() }
        self.closing = closing
        await closing.value
        self.closing = nil
    }

    /// Closes the center for good. A center that is being opened is closed as soon as it is open.
    func close() async {
        isClosed = true
        await closing?.value
        if let attempt, case .success(let running) = await attempt.value { self.running = running }
        guard let running else { return }
        self.running = nil
        await running.close()
    }
}
