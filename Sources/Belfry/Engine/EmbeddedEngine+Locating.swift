extension EmbeddedEngine {
    /// Starts the location provider, updates its demand, or stops it. On return, a nonblocking provider is listening.
    func followDemand() {
        guard let location = setup.location else { return }
        switch locating.follow(inSchedule { $0.positionDemand() }) {
        case .none: break
        case .start(let run, let demands): locating.began(beginLocating(location, demands, run))
        case .stop(let run):
            let timeout = Timeout.begin(setup.options.appTimeout) {
                Task.immediate(executorPreference: CenterThread.shared) { await self.abandon(run) }
            }
            locating.setTimeout(timeout)
        }
    }

    private func abandon(_ run: Int) {
        guard let location = setup.location, locating.abandon(run) else { return }
        let limit = setup.options.appTimeout.seconds
        let message = "The location provider '\(location.name)' has not ended \(limit) s after its cancellation."
        report(NoticeError(.locationUnavailable, message))
        post(.fixes)
        resumeWaiters()
    }

    /// Runs the first steps of a nonblocking provider immediately, up to its first suspension.
    private func beginLocating(
        _ location: any LocationProvider,
        _ demands: LocationDemand.Updates,
        _ run: Int
    ) -> Task<Void, Never> {
        let inbox = locating.inbox
        let work: @Sendable () async -> Void = {
            var end: NoticeError?
            do throws(NoticeError) {
                try await location.performRun(demands: demands) { fix in
                    if inbox.put(fix, of: run) { self.receive(.fixes) }
                }
            } catch { end = error }
            await self.locatingEnded(run, end)
        }
        if !location.mayBlock {
            return Task.immediate(executorPreference: CenterThread.shared) { await work() }
        }
        return Task(executorPreference: AppThreads.shared) { await work() }
    }

    private func locatingEnded(_ run: Int, _ error: NoticeError?) {
        for item in locating.ended(run, error) { post(item) }
        resumeWaiters()
    }

    /// Processes the waiting location fixes in one transaction.
    func processFixes() async {
        let (fixes, dropped) = locating.inbox.takeAll()
        var events = fixes.map(ScheduleEvent.positionFix)
        if dropped > 0 { events.insert(.positionsDropped(dropped), at: 0) }
        if !events.isEmpty { await commit(events.map(CommitQueue.Item.event)) }
    }

    func locationReport() async throws(NoticeError) -> NoticeCenter.LocationReport {
        try await settle()
        var report = schedule.positionReport
        report.provider = setup.location?.name
        return report
    }
}
