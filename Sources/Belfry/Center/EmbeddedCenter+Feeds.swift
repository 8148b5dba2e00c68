extension EmbeddedCenter {
    func keep(_ feed: RegionFeed) async throws(NoticeError) {
        try feed.validate()
        guard location != nil else {
            throw NoticeError(
                .locationUnavailable,
                "The feed '\(feed.name)' needs positions, and this center has no location provider: give it one where it "
                    + "is made."
            )
        }
        try await checkAuthorization()
        _ = try await call { .feedKept(feed, $0) }
    }

    func endFeed(_ name: String) async throws(NoticeError) { _ = try await call { .feedEnded(name, $0) } }

    func feeds() async throws(NoticeError) -> [RegionFeedReport] {
        try await settle()
        return schedule.feedReports()
    }

    /// Asks a feed's source, off the center: it may take its time, and block.
    func ask(_ question: FeedQuestion, of feed: RegionFeed) {
        openQuestions += 1
        Task(executorPreference: CenterThread.shared) {
            let found = await withTimeLimit(feed.timeLimit, on: AppThreads.shared) {
                () -> Result<FeedAnswer, NoticeError> in
                do {
                    let places = try await feed.source(question.fix, feed.count)
                    return .success(FeedAnswer(places, nearestTo: question.fix, count: feed.count))
                } catch {
                    let message = "The source of the feed '\(feed.name)' gave no places: \(error)"
                    return .failure(NoticeError(.feedUnavailable, message))
                }
            }
            await self.take(found ?? .failure(Self.late(feed)), to: question)
        }
    }

    private static func late(_ feed: RegionFeed) -> NoticeError {
        let limit = feed.timeLimit.seconds
        return NoticeError(.feedUnavailable, "The source of the feed '\(feed.name)' took longer than \(limit) s.")
    }

    private func take(_ found: Result<FeedAnswer, NoticeError>, to question: FeedQuestion) async {
        var found = found
        do throws(NoticeError) { try await checkAuthorization() } catch { found = .failure(error) }
        openQuestions -= 1
        switch found {
        case .success(let answer): post(.event(.feedAnswered(question, answer)))
        case .failure(let error): post(.event(.feedFailed(question, error)))
        }
    }
}
