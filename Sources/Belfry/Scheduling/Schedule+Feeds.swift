// Region feeds: the source of each is asked where the device has left what its last answer covers. What it answers is handled
// as one change (`Schedule+FeedAnswers`).
extension Schedule {
    /// From now on the source is asked; a feed of that name is replaced. What an earlier run left pending stays until the first
    /// answer.
    mutating func watch(_ feed: RegionFeed) {
        let name = feed.name
        writeFeed(name, FeedWatch(feed, record: feeds.records[name], earlier: feeds.watches[name]), feeds.records[name])
    }

    /// Its requests are removed, and nothing is remembered of it. Unknown names are no error.
    mutating func unwatch(feed name: String) -> Removal {
        let owner = RequestOwner.feed(name)
        setFeed(name, nil, record: nil)
        let owned = owners[owner]
        guard !owned.isEmpty else { return Removal() }
        setOwner(owner, [:])
        let pending = owned.keys.filter { entries.slot(of: $0) != nil }
        return remove(pending.sorted(), outcome: .removed, detail: "its region feed '\(name)' has ended")
    }

    mutating func feedFailed(_ question: FeedQuestion, _ error: NoticeError) {
        guard isRunning, feeds.watches[question.feed]?.question == question else { return }
        if feeds.watches[question.feed]?.fail(error, at: clock.now.boot) == true { emit(.report(error)) }
        feeds.isStale = true
        positions.isStale = true
    }

    /// What sources are to be asked now. The answers come back as ``ScheduleEvent/feedAnswered(_:_:)`` or
    /// ``ScheduleEvent/feedFailed(_:_:)``.
    mutating func feedQuestions() -> [(FeedQuestion, RegionFeed)] {
        isRunning && feeds.isStale ? feeds.questions() : []
    }

    /// Identifiers that the app uses for requests of its own are no feed's any more.
    mutating func takeFromFeeds(_ ids: some Sequence<String>) {
        guard !owners.isEmpty else { return }
        disown(ids.filter { owners.references[$0]?.owner.feed != nil })
    }

    func feedReports() -> [RegionFeed.Report] {
        let names = Set(feeds.watches.keys).union(feeds.records.keys).union(owners.owners.compactMap(\.feed))
        return names.sorted().map { name in
            let ids = owners[.feed(name)].keys
            let pending = ids.count { entries.slot(of: $0) != nil }
            return RegionFeed.Report(
                name: name,
                isKept: feeds.watches[name] != nil,
                pending: pending,
                done: (feeds.records[name]?.done.count ?? 0) + ids.count - pending,
                failure: feeds.watches[name]?.failure
            )
        }
    }

    // MARK: The only functions that change what is stored of a feed

    mutating func setFeed(_ name: String, _ watch: FeedWatch?, record: RegionFeedRecord?) {
        remember(.feed(name, feeds.watches[name], feeds.records[name]))
        if feeds.records[name] != record { store(.putFeed(name, record)) }
        writeFeed(name, watch, record)
    }

    private mutating func writeFeed(_ name: String, _ watch: FeedWatch?, _ record: RegionFeedRecord?) {
        feeds.watches[name] = watch
        feeds.records[name] = record
        feeds.isStale = true
        positions.isStale = true
    }

    /// What the store did not take is as before; the source is asked again when it takes something.
    mutating func revertFeed(_ name: String, _ old: FeedWatch?, record: RegionFeedRecord?) {
        var old = old
        // That of before has been answered; there may be another one since.
        old?.question = feeds.watches[name]?.question
        if old?.question == nil { old?.retryAt = log.pausedUntil }
        writeFeed(name, old, record)
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
