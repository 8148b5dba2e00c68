extension EmbeddedEngine: WakeListener {
    func run() async throws(NoticeError) {
        // However the run ends, even before it has begun, nobody waits in vain for its beginning, an event or a
        // response.
        defer {
            currentRun.hasBegun = true
            currentRun.alarm = nil
            eventBroadcast.finish()
            responseCenter.finish()
            resumeWaiters()
        }
        let alarm = try clock.makeAlarm()
        currentRun.alarm = alarm
        try await settle()
        // Changes that happened before the alarm was watching.
        let zone = clock.systemZone()
        if zone != schedule.context.zone {
            await compileRules(in: zone)
            post(.event(.zoneChanged(zone)))
        }
        if schedule.clock.wasSet(at: clock.now()) { post(.event(.clockSet)) }
        post(.event(.started))
        await fence()
        currentRun.hasBegun = true
        resumeWaiters()
        let failure = await runAlarmAndBackend(alarm)
        post(.event(.stopped))
        await fence()
        currentRun.alarm = nil
        // It has ended, or was abandoned.
        await wait { engine in !engine.locating.isEnding }
        if let failure { throw failure }
    }

    /// Returns when due requests fire: requests added from then on are on time by any clock.
    func begun() async { await wait { engine in engine.currentRun.hasBegun } }

    private nonisolated func runAlarmAndBackend(_ alarm: any WakeAlarm) async -> NoticeError? {
        await withTaskGroup(of: NoticeError?.self) { group in
            group.addTask(executorPreference: CenterThread.shared) {
                do throws(NoticeError) {
                    try await alarm.run(waking: self)
                    return nil
                } catch { return error }
            }
            group.addTask(executorPreference: setup.backendExecutor) {
                do throws(NoticeError) {
                    try await self.setup.backend.performRun { self.receive(.backend($0)) }
                    return nil
                } catch { return error }
            }
            // A backend without events to wait for may return early; the alarm ends only with the task.
            for await failure in group {
                guard let failure, !Task.isCancelled else { continue }
                group.cancelAll()
                return failure
            }
            return nil
        }
    }

    // MARK: WakeListener

    nonisolated func woke(_ reason: WakeReason) { receive(.woke(reason)) }

    func processedWakeUps() async {
        if !inbox.isEmpty { await processArrivals() }
        await currentRun.zoneChange?.value
        await fence()
    }

    func process(_ reason: WakeReason) {
        switch reason {
        case .due: break
        case .clockSet: commits.append(.event(.clockSet))
        case .zoneChanged:
            // What is due now came due in the old zone.
            commits.append(.event(.woke))
            return changeZone()
        }
        if schedule.clock.doubt != nil, clock.isSynchronized { commits.append(.event(.clockSynchronized)) }
        commits.append(.event(.woke))
    }

    private func changeZone() {
        let previous = currentRun.zoneChange
        currentRun.zoneChangeCount += 1
        currentRun.zoneChange = Task(executorPreference: CenterThread.shared) {
            await previous?.value
            await self.followZone()
        }
    }

    /// Compiling the rules for the new zone may take a second. Calls are processed meanwhile.
    private func followZone() async {
        let zone = clock.systemZone()
        await compileRules(in: zone)
        // What is posted is work in progress too, and its end is noticed.
        currentRun.zoneChangeCount -= 1
        post(.event(.zoneChanged(zone)))
        post(.event(.woke))
    }

    /// Returns when no work is in progress: no event, transaction or delivery, and no response being handled.
    func quiet() async { await wait { engine in engine.isQuiet(exceptHandler: false) } }

    /// Finishes the work in progress, within the time limits of the backend and of the app's handler. A canceled task
    /// doesn't wait for the backend: the next process repeats the deliveries in flight.
    func finishWork() async {
        currentRun.isEnding = true
        let isCanceled = AwaitedState(false)
        await withTaskCancellationHandler {
            await wait { engine in engine.isQuiet(exceptHandler: true) || isCanceled.current }
        } onCancel: {
            isCanceled.withLock { $0 = true }
            Task(executorPreference: CenterThread.shared) { await self.resumeWaiters() }
        }
        guard !Task.isCancelled else { return }
        _ = await withTimeout(setup.options.appTimeout) { await self.quiet() }
    }

    /// - Parameter exceptHandler: the app's response handler may be at work.
    func isQuiet(exceptHandler: Bool) -> Bool {
        commits.isIdle && deliveries.isIdle && inbox.isEmpty && currentRun.zoneChangeCount == 0
            && locating.inbox.isEmpty && !locating.isEnding
            && (!locating.isQueryingFeeds || currentRun.isEnding)
            && (exceptHandler || !responseCenter.isHandlerAtWork)
    }

    func setQuietListener(_ listener: @escaping @Sendable () -> Void) { currentRun.quietListener = listener }

    func checkQuiet() {
        if let listener = currentRun.quietListener, isQuiet(exceptHandler: false) { listener() }
        resumeWaiters()
    }
}
