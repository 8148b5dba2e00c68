extension NoticeCenter: WakeListener {
    /// Fires what is due and takes in answers, until the task is cancelled. Once per center.
    ///
    /// Throws ``NoticeError/Code/systemFailure`` where the clock has no alarm, and what the backend's run throws.
    public func run() async throws(NoticeError) {
        guard !hasRun else {
            throw NoticeError(.centerStopped, "This center has run already: make another one.")
        }
        hasRun = true
        let alarm = try clock.makeAlarm()
        self.alarm = alarm
        try await settle()
        post(.event(.started))
        let failure = await runAlarmAndBackend(alarm)
        post(.event(.stopped))
        await fence()
        self.alarm = nil
        eventBroadcast.finish()
        responseBroadcast.finish()
        if let failure { throw failure }
    }

    private nonisolated func runAlarmAndBackend(_ alarm: any WakeAlarm) async -> NoticeError? {
        await withTaskGroup(of: NoticeError?.self) { group in
            group.addTask {
                do throws(NoticeError) {
                    try await alarm.run(waking: self)
                    return nil
                } catch { return error }
            }
            group.addTask {
                do throws(NoticeError) {
                    try await self.backend.run { self.report($0) }
                    return nil
                } catch { return error }
            }
            // A backend that has nothing to listen to may be done early; the alarm ends with the task only.
            for await failure in group {
                guard let failure, !Task.isCancelled else { continue }
                group.cancelAll()
                return failure
            }
            return nil
        }
    }

    /// Runs the center beside `body`, and ends it when that is done: what is under way then is finished first.
    ///
    /// Rethrows what `body` throws, and throws what ``run()`` does.
    public nonisolated func running<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await self.run()
                return nil
            }
            group.addTask {
                let value = try await body(self)
                await self.quiet()
                return value
            }
            var value: Value?
            while let finished = try await group.next() {
                if let finished {
                    value = finished
                    group.cancelAll()
                }
            }
            guard let value else { throw CancellationError() }
            return value
        }
    }

    // MARK: WakeListener

    public func woke(_ reason: WakeReason) async {
        switch reason {
        case .due: post(.event(.woke))
        case .clockSet:
            post(.event(.clockSet))
            post(.event(.woke))
        case .zoneChanged:
            post(.event(.zoneChanged(clock.systemZone())))
            post(.event(.woke))
        }
        await fence()
    }

    /// Returns when nothing that was begun is under way: no event, no commit, no delivery, no answer being handled.
    public func quiet() async {
        guard !isQuiet else { return }
        await withCheckedContinuation { quietWaiters.append($0) }
    }

    private var isQuiet: Bool {
        mailbox.isEmpty && !isPumping && !isLaneBusy && !isHandlingResponses && inbox.isEmpty
    }

    func checkQuiet() {
        guard isQuiet, !quietWaiters.isEmpty else { return }
        let all = quietWaiters
        quietWaiters = []
        for waiter in all { waiter.resume() }
    }

    /// Returns when the backend has done what it was given.
    func laneIsDone() async { await quiet() }
}
