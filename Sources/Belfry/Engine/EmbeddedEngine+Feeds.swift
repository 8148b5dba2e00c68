extension EmbeddedEngine {
    func startMonitoring(_ feed: RegionFeed) async throws(NoticeError) {
        try feed.validate()
        guard setup.location != nil else {
            throw NoticeError(
                .locationUnavailable,
                "The region feed '\(feed.id)' needs positions, and this center has no location provider: give it one "
                    + "where it is made."
            )
        }
        try await checkAuthorization()
        try await changed { $0.startMonitoring(feed) }
    }

    func stopMonitoring(_ id: String) async throws(NoticeError) {
        _ = try await removed(size: { _ in 1 }) { $0.stopMonitoring(id) }
    }

    func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report] {
        try await settle()
        return schedule.feedReports()
    }

    /// Queries a feed's source, off the center's thread: it may take long, and block.
    func perform(_ query: FeedQuery, of feed: RegionFeed) {
        locating.beginQuery()
        let validation = setup.validation
        Task(executorPreference: CenterThread.shared) {
            let result = await withTimeout(feed.timeout, on: AppThreads.shared) {
                () -> Result<FeedResult, NoticeError> in
                do {
                    let requests = try await feed.source(query.fix, feed.count)
                    let result = FeedResult(requests, nearestTo: query.fix, count: feed.count, validatedBy: validation)
                    return .success(result)
                } catch { return .failure(Self.unavailable(feed, "gave no regions: \(error)")) }
            }
            let late = Self.unavailable(feed, "took longer than \(feed.timeout.seconds) s.")
            await self.finish(query, with: result ?? .failure(late))
        }
    }

    private static func unavailable(_ feed: RegionFeed, _ reason: String) -> NoticeError {
        NoticeError(.feedUnavailable, "The source of the region feed '\(feed.id)' \(reason)")
    }

    private func finish(_ query: FeedQuery, with result: Result<FeedResult, NoticeError>) async {
        var result = result
        do throws(NoticeError) { try await checkAuthorization() } catch { result = .failure(error) }
        locating.endQuery()
        switch result {
        case .success(let result): post(.event(.feedReturned(query, result)))
        case .failure(let error): post(.event(.feedFailed(query, error)))
        }
    }
}
