// Region feeds: the source of each is asked where the device has left what its last answer covers. What it answers is
// handled as one change (`Schedule+FeedResults`).
extension Schedule {
    /// From now on the source is asked; a feed of that identifier is replaced. What an earlier run left pending stays
    /// until the first answer.
    mutating func watch(_ feed: RegionFeed) {
        let record = feeds.records[feed.id]
        feeds.set(feed.id, FeedWatch(feed, record: record, earlier: feeds.watches[feed.id]), record)
    }

    /// Its requests are removed, and nothing is remembered of it. Unknown names are no error.
    mutating func unwatch(feed name: String) -> Removal {
        let owner = RequestOwner.feed(name)
        setFeed(name, nil, record: nil)
        let owned = owners[owner]
        guard !owned.isEmpty else { return Removal() }
        setOwner(owner, [:])
        let pending = owned.keys.filter { entries.slot(of: $0) != nil }
        return remove(pending.sorted(), detail: "its region feed '\(name)' has ended")
    }

    mutating func feedFailed(_ question: FeedQuestion, _ error: NoticeError) {
        if isRunning, feeds.fail(question, error, at: now.boot) { emit(.report(error)) }
    }

    /// What sources are to be asked now. The answers come back as ``ScheduleEvent/feedAnswered(_:_:)`` or
    /// ``ScheduleEvent/feedFailed(_:_:)``.
    mutating func feedQuestions() -> [(FeedQuestion, RegionFeed)] {
        isRunning ? feeds.questions() : []
    }

    /// Identifiers that the app uses for requests of its own are no feed's any more.
    mutating func takeFromFeeds(_ ids: some Sequence<String>) {
        guard !owners.isEmpty else { return }
        disown(ids.filter { owners.references[$0]?.owner.feed != nil })
    }

    func feedReports() -> [RegionFeed.Report] {
        let ids = Set(feeds.watches.keys).union(feeds.records.keys).union(owners.owners.compactMap(\.feed))
        return ids.sorted().map { feed in
            let owned = owners[.feed(feed)].keys
            let pending = owned.count { entries.slot(of: $0) != nil }
            return RegionFeed.Report(
                id: feed,
                isMonitored: feeds.watches[feed] != nil,
                pending: pending,
                done: (feeds.records[feed]?.done.count ?? 0) + owned.count - pending,
                failure: feeds.watches[feed]?.failure
            )
        }
    }

    mutating func setFeed(_ name: String, _ watch: FeedWatch?, record: RegionFeedRecord?) {
        let (old, oldRecord) = (feeds.watches[name], feeds.records[name])
        remember {
            var old = old
            // That of before has been answered; there may be another one since.
            old?.question = $0.feeds.watches[name]?.question
            // The source is asked again when the store takes something.
            if old?.question == nil { old?.retryAt = $0.log.pausedUntil }
            $0.feeds.set(name, old, oldRecord)
        }
        if oldRecord != record { store(.putFeed(name, record)) }
        feeds.set(name, watch, record)
    }
}

extension LocationDemand {
    /// The same, with a fix after each stride of a feed at the latest.
    func within(stride: Double) -> LocationDemand {
        guard distance > stride else { return self }
        var step = 8.0
        while step * 2 <= stride { step *= 2 }
        return LocationDemand(accuracy: min(max(step, 10), 1_000), distance: step)
    }
}
