// Feeds: the source of each is asked where the position has left what its last answer covers. What it answers is taken in
// as one change (`Schedule+Renewing`).
extension Schedule {
    /// From now on the source is asked; a feed of that name is replaced. What an earlier run left pending stays until the
    /// first answer.
    mutating func keep(_ feed: RegionFeed, ticket: Ticket) {
        feeds[feed.name] = FeedWatch(
            feed,
            record: feedRecords[feed.name],
            earlier: feeds[feed.name]
        )
        lookAtFeeds()
        answer(ticket, .done)
    }

    /// Its requests are removed, and nothing is remembered of it. Unknown names are no error.
    mutating func endFeed(_ name: String, ticket: Ticket) {
        let owner = RequestOwner.feed(name)
        setFeed(name, nil, record: nil)
        let owned = owners[owner]
        guard !owned.isEmpty else { return answer(ticket, .done) }
        setOwner(owner, [:])
        let pending = owned.keys.filter { entries.slot(of: $0) != nil }
        remove(pending.sorted(), outcome: .removed, detail: "its feed '\(name)' has ended", ticket: ticket)
    }

    /// A fix was taken: places that come in later are judged by it.
    mutating func noteForFeeds(_ fix: PositionFix) {
        guard !feeds.isEmpty else { return }
        for name in feeds.keys { feeds[name]?.take(fix) }
        feedsAreStale = true
    }

    mutating func feedFailed(_ question: FeedQuestion, _ error: NoticeError) {
        guard isRunning, feeds[question.feed]?.question == question else { return }
        if feeds[question.feed]?.fail(error, at: now.boot) == true { batch.then.append(.report(error)) }
        lookAtFeeds()
    }

    mutating func endFeedRetries() {
        for (name, watch) in feeds {
            guard let retryAt = watch.retryAt, retryAt <= now.boot else { continue }
            feeds[name]?.retryAt = nil
            lookAtFeeds()
        }
    }

    /// The questions that are to be asked now. They wait for no commit.
    mutating func feedQuestions() -> [ScheduleEffect] {
        guard feedsAreStale else { return [] }
        feedsAreStale = false
        guard isRunning else { return [] }
        var questions: [ScheduleEffect] = []
        for (name, watch) in feeds.sorted(by: { $0.key < $1.key }) {
            guard let fix = watch.isDue else { continue }
            let question = FeedQuestion(feed: name, number: nextQuestion, fix: fix)
            nextQuestion += 1
            feeds[name]?.question = question
            questions.append(.ask(question, watch.feed))
        }
        return questions
    }

    /// Identifiers that the app uses for requests of its own are no feed's any more.
    mutating func takeFromFeeds(_ ids: some Sequence<String>) {
        guard !owners.isEmpty else { return }
        disown(ids.filter { owners.references[$0]?.owner.feed != nil })
    }

    /// Metres from a fix to where a feed wants another one at the latest.
    func feedSlack(at fix: PositionFix) -> Double {
        feeds.values.reduce(.infinity) { min($0, $1.unseen(from: fix)) }
    }

    func feedReports() -> [RegionFeedReport] {
        let owned = owners.owners.compactMap(\.feed)
        return Set(feeds.keys).union(feedRecords.keys).union(owned).sorted().map { name in
            let ids = owners[.feed(name)].keys
            let pending = ids.count { entries.slot(of: $0) != nil }
            return RegionFeedReport(
                name: name,
                isKept: feeds[name] != nil,
                pending: pending,
                done: (feedRecords[name]?.done.count ?? 0) + ids.count - pending,
                failure: feeds[name]?.failure
            )
        }
    }

    private mutating func lookAtFeeds() {
        feedsAreStale = true
        positions.isStale = true
    }

    // MARK: The only places that change what is stored of a feed

    mutating func setFeed(_ name: String, _ watch: FeedWatch?, record: RegionFeedRecord?) {
        batch.undo.append(.feed(name, feeds[name], feedRecords[name]))
        feeds[name] = watch
        if feedRecords[name] != record {
            feedRecords[name] = record
            batch.changes.append(.putFeed(name, record))
        }
        lookAtFeeds()
    }

    /// What the store did not take is as before; the source is asked again when it takes something.
    mutating func writeFeed(_ name: String, _ old: FeedWatch?, record: RegionFeedRecord?) {
        var old = old
        // That of before has been answered; there may be another one since.
        old?.question = feeds[name]?.question
        if old?.question == nil { old?.retryAt = commits.pausedUntil }
        feeds[name] = old
        feedRecords[name] = record
        lookAtFeeds()
    }
}

extension PositionDemand {
    /// The same, with a fix after each stride of a feed at the latest.
    func within(stride: Double) -> PositionDemand {
        guard distance > stride else { return self }
        var step = 8.0
        while step * 2 <= stride { step *= 2 }
        return PositionDemand(accuracy: min(max(step, 10), 1_000), distance: step)
    }
}
