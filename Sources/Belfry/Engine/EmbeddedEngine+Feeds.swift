extension EmbeddedEngine {
    func startMonitoring(_ feed: RegionFeed) async throws(NoticeError) {
        try feed.validate()
        guard setup.location != nil else {
            throw NoticeError(
                .locationUnavailable,
                "The region feed '\(feed.id)' needs positions, and this center has no location provider: give it one where it "
                    + "is made."
            )
        }
        try await checkAuthorization()
        try await call { $0.startMonitoring(feed) }
    }

    func stopMonitoring(_ id: String) async throws(NoticeError) {
        _ = try await removed { $0.stopMonitoring(id) }
    }

    func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report] {
        try await settle()
        return schedule.feedReports()
    }

    /// Queries a feed's source, off the center's thread: it may take long, and block.
    func ask(_ question: FeedQuestion, of feed: RegionFeed) {
        locating.beginQuestion()
        Task(executorPreference: CenterThread.shared) {
            let answer = await withTimeout(feed.timeout, on: AppThreads.shared) {
                () -> Result<FeedResult, NoticeError> in
                do {
                    let requests = try await feed.source(question.fix, feed.count)
                    return .success(FeedResult(requests, nearestTo: question.fix, count: feed.count))
                } catch { return .failure(Self.unavailable(feed, "gave no regions: \(error)")) }
            }
            let late = Self.unavailable(feed, "took longer than \(feed.timeout.seconds) s.")
            await self.take(answer ?? .failure(late), to: question)
        }
    }

    private static func unavailable(_ feed: RegionFeed, _ reason: String) -> NoticeError {
        NoticeError(.feedUnavailable, "The source of the region feed '\(feed.id)' \(reason)")
    }

    private func take(_ answer: Result<FeedResult, NoticeError>, to question: FeedQuestion) async {
        var answer = answer
        do throws(NoticeError) { try await checkAuthorization() } catch { answer = .failure(error) }
        locating.endQuestion()
        switch answer {
        case .success(let answer): post(.event(.feedAnswered(question, answer)))
        case .failure(let error): post(.event(.feedFailed(question, error)))
        }
    }
}
