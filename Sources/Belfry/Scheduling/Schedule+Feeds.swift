// Region feeds: the source of a feed is queried when the device leaves the area of its last result. Each result is
// handled as one change (`Schedule+FeedResults`).
extension Schedule {
    /// Starts monitoring a feed, replacing one with the same identifier. Requests left pending by an earlier run stay
    /// until the first result.
    mutating func startMonitoring(_ feed: RegionFeed) {
        let record = feeds.records[feed.id]
        setFeed(feed.id, FeedWatch(feed, record: record, earlier: feeds.watches[feed.id]), record: record)
    }

    /// Stops monitoring, and removes the feed's requests and its record. An unknown name is not an error.
    mutating func stopMonitoring(_ name: String) -> Removal {
        let owner = RequestOwner.feed(name)
        setFeed(name, nil, record: nil)
        let owned = owners[owner]
        guard !owned.isEmpty else { return Removal() }
        setOwner(owner, [:])
        let pending = owned.keys.filter { entries.slot(of: $0) != nil }
        return removeOwned(pending.sorted(), detail: "its region feed '\(name)' has ended")
    }

    mutating func feedFailed(_ query: FeedQuery, _ error: NoticeError) {
        if isRunning, feeds.fail(query, error, at: now.boot) { emit(.report(error)) }
    }

    /// Returns the queries to make now. ``ScheduleEvent/feedReturned(_:_:)`` or ``ScheduleEvent/feedFailed(_:_:)``
    /// delivers their results.
    mutating func feedQueries() -> [(FeedQuery, RegionFeed)] {
        isRunning ? feeds.queries() : []
    }

    /// Removes identifiers from feeds, because the app uses them for its own requests.
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
                error: feeds.watches[feed]?.error
            )
        }
    }

    mutating func setFeed(_ name: String, _ watch: FeedWatch?, record: RegionFeedRecord?) {
        let (old, oldRecord) = (feeds.watches[name], feeds.records[name])
        remember {
            var old = old
            // The result of an earlier query was processed, or is ignored: the source is queried again when the store
            // works again.
            old?.query = nil
            old?.retryAt = $0.log.pausedUntil
            $0.feeds.set(name, old, oldRecord)
        }
        if oldRecord != record { store(.putFeed(name, record)) }
        feeds.set(name, watch, record)
    }
}
