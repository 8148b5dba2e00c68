extension EmbeddedCenter: WakeListener {
    func run() async throws(NoticeError) {
        guard !hasRun else {
            throw NoticeError(.centerStopped, "This center has run already: make another one.")
        }
        hasRun = true
        // However it ends, also before it has begun: nobody waits for a beginning, an event or a response in vain.
        defer {
            begin()
            self.alarm = nil
            eventBroadcast.finish()
            responseListeners.finish()
        }
        let alarm = try clock.makeAlarm()
        self.alarm = alarm
        try await settle()
        // What happened before anybody listened for it.
        let zone = clock.systemZone()
        if zone != schedule.context.zone {
            await compileFloatingRules(in: zone)
            post(.event(.zoneChanged(zone)))
        }
        if schedule.wasClockSet(at: clock.now()) { post(.event(.clockSet)) }
        post(.event(.started))
        await fence()
        begin()
        let failure = await runAlarmAndBackend(alarm)
        post(.event(.stopped))
        await fence()
        self.alarm = nil
        await locatorEnded()
        if let failure { throw failure }
    }

    private func begin() {
        hasBegun = true
        let all = beginWaiters
        beginWaiters = []
        for waiter in all { waiter.resume() }
    }

    /// Returns when what is due fires: requests added from then on are on time by any clock.
    func begun() async {
        await withCheckedContinuation { continuation in
            if hasBegun { continuation.resume() } else { beginWaiters.append(continuation) }
        }
    }

    private nonisolated func runAlarmAndBackend(_ alarm: any WakeAlarm) async -> NoticeError? {
        await withTaskGroup(of: NoticeError?.self) { group in
            group.addTask(executorPreference: CenterThread.shared) {
                do throws(NoticeError) {
                    try await alarm.run(waking: self)
                    return nil
                } catch { return error }
            }
            group.addTask(executorPreference: backendExecutor) {
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

    // MARK: WakeListener

    func woke(_ reason: WakeReason) async {
        switch reason {
        case .due:
            endHoldIfSynchronised()
            post(.event(.woke))
        case .clockSet:
            post(.event(.clockSet))
            endHoldIfSynchronised()
            post(.event(.woke))
        case .zoneChanged:
            // What is due came due in the zone of before.
            post(.event(.woke))
            let zone = clock.systemZone()
            await compileFloatingRules(in: zone)
            post(.event(.zoneChanged(zone)))
            post(.event(.woke))
        }
        await fence()
    }

    private func endHoldIfSynchronised() {
        if schedule.hold != nil, clock.isSynchronised { post(.event(.clockSynchronised)) }
    }

    /// Returns when nothing that was begun is under way: no event, no commit, no delivery, no answer being handled.
    func quiet() async { await quiet(exceptHandler: false) }

    /// Finishes what is under way, for no longer than the limits of the backend and of the app's handler.
    func finishWork() async {
        isEnding = true
        await quiet(exceptHandler: true)
        _ = await withTimeLimit(options.appTimeLimit) { await self.quiet() }
    }

    private func quiet(exceptHandler: Bool) async {
        await withCheckedContinuation { continuation in
            // Looked at in here: on the way in, a task that is not of this thread's may have stood in line again.
            guard !isQuiet(exceptHandler: exceptHandler) else { return continuation.resume() }
            quietWaiters.append(QuietWaiter(exceptHandler: exceptHandler, continuation: continuation))
        }
    }

    func isQuiet(exceptHandler: Bool) -> Bool {
        mailbox.isEmpty && !isPumping && !isLaneBusy && flightCount == 0 && inbox.isEmpty
            && settledResponses.isEmpty && fixInbox.isEmpty && locator?.isSettling != true
            && (openQuestions == 0 || isEnding)
            && (exceptHandler || !isHandlerAtWork)
    }

    /// A relay waits for another process: what that is still doing is not this center's work.
    private var isHandlerAtWork: Bool { isHandlingResponses && !(delegate is any ResponseRelay) }

    func setQuietListener(_ listener: @escaping @Sendable () -> Void) { quietListener = listener }

    func checkQuiet() {
        if let quietListener, isQuiet(exceptHandler: false) { quietListener() }
        guard !quietWaiters.isEmpty, isQuiet(exceptHandler: true) else { return }
        // Looked at once: events come into the inboxes from other threads meanwhile.
        let (all, isHandled) = (quietWaiters, !isHandlerAtWork)
        quietWaiters = all.filter { !$0.exceptHandler && !isHandled }
        for waiter in all where waiter.exceptHandler || isHandled { waiter.continuation.resume() }
    }
}

/// Somebody who waits until nothing is under way, the app's handler of answers left out or not.
struct QuietWaiter {
    let exceptHandler: Bool
    let continuation: CheckedContinuation<Void, Never>
}
