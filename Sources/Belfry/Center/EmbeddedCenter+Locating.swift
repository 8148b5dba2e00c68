/// A run of the location provider.
struct Locator {
    enum Phase {
        /// It is about to begin, after the one before has ended.
        case starting
        case running
        /// Cancelled, and not over.
        case ending
        /// It returned by itself, and has no more to say.
        case over
    }

    let number: Int
    let demands: PositionDemandSource
    var demand: PositionDemand
    var phase = Phase.starting
    var task: Task<Void, Never>?
    /// Of its ending.
    var limit: UInt64?

    var isSettling: Bool {
        switch phase {
        case .starting, .ending: true
        case .running, .over: false
        }
    }
}

extension EmbeddedCenter {
    /// Starts the provider, tells it what is wanted now, or stops it. Returns when one of Belfry's own listens.
    func followDemand() async {
        guard let location else { return }
        let demand = schedule.positionDemand()
        guard let demand else { return stopLocating() }
        guard var current = locator else { return await startLocating(location, demand) }
        guard current.phase == .starting || current.phase == .running, current.demand != demand else { return }
        current.demand = demand
        locator = current
        current.demands.send(demand)
    }

    private func stopLocating() {
        guard let current = locator, current.phase != .ending else { return }
        fixInbox.listen(to: 0)
        current.demands.finish()
        if current.phase == .over {
            locator = nil
        } else {
            locator?.phase = .ending
            locator?.limit = TimeLimits.shared.begin(options.appTimeLimit) {
                Task(executorPreference: CenterThread.shared) { await self.abandon(current.number) }
            }
            current.task?.cancel()
        }
    }

    /// A provider that does not end when it is cancelled: another run begins beside it.
    private func abandon(_ number: Int) {
        guard let location, let current = locator, current.number == number, current.phase == .ending else { return }
        let limit = options.appTimeLimit.seconds
        let message = "The location provider '\(location.name)' has not ended \(limit) s after its cancellation."
        eventBroadcast.send(.problem(NoticeError(.locationUnavailable, message)))
        forgetLocator()
    }

    private func forgetLocator() {
        if let limit = locator?.limit { _ = TimeLimits.shared.end(limit) }
        fixInbox.listen(to: 0)
        locator = nil
        let all = locatorWaiters
        locatorWaiters = []
        for waiter in all { waiter.resume() }
        // A place may have come meanwhile.
        post(.fixes)
    }

    private func startLocating(_ location: any LocationProvider, _ demand: PositionDemand) async {
        locators += 1
        let number = locators
        let demands = PositionDemandSource(demand)
        locator = Locator(number: number, demands: demands, demand: demand)
        fixInbox.listen(to: number)
        let task = await beginLocating(location, demands.demands, number)
        guard locator?.number == number else { return task.cancel() }
        locator?.task = task
        switch locator?.phase {
        case .starting: locator?.phase = .running
        case .ending: task.cancel()
        case .running, .over, nil: break
        }
    }

    /// Off the center, so that the first steps of a provider that never blocks, up to where it waits, are taken here and now.
    @concurrent private nonisolated func beginLocating(
        _ location: any LocationProvider,
        _ demands: PositionDemands,
        _ number: Int
    ) async -> Task<Void, Never> {
        let work: @Sendable () async -> Void = {
            var failure: NoticeError?
            do throws(NoticeError) {
                try await location.run(demands: demands) { self.report($0, of: number) }
            } catch { failure = error }
            await self.locatingEnded(number, failure)
        }
        if location is any PromptLocationProvider {
            return Task.immediate(executorPreference: CenterThread.shared) { await work() }
        }
        return Task(executorPreference: AppThreads.shared) { await work() }
    }

    fileprivate func locatingEnded(_ number: Int, _ failure: NoticeError?) {
        guard let current = locator, current.number == number else { return }
        guard current.phase != .ending else { return forgetLocator() }
        guard let failure else {
            locator?.phase = .over
            return
        }
        post(.event(.positionLost(failure)))
        forgetLocator()
    }

    /// Returns when the provider has ended, or was given up.
    func locatorEnded() async {
        await withCheckedContinuation { continuation in
            if locator?.isSettling == true { locatorWaiters.append(continuation) } else { continuation.resume() }
        }
    }

    // MARK: Fixes

    private nonisolated func report(_ fix: PositionFix, of number: Int) {
        if fixInbox.put(fix, of: number) {
            Task(executorPreference: CenterThread.shared) { await self.post(.fixes) }
        }
    }

    /// Fixes that came together share one commit.
    func processFixes() async {
        let (fixes, dropped) = fixInbox.takeAll()
        var events = fixes.map(ScheduleEvent.positionFix)
        if dropped > 0 { events.insert(.positionsDropped(dropped), at: 0) }
        if !events.isEmpty { await commit(events.map(CommitQueue.Item.event)) }
    }

    func position() async throws(NoticeError) -> PositionReport {
        try await settle()
        var report = schedule.positionReport
        report.provider = location?.name
        return report
    }
}
