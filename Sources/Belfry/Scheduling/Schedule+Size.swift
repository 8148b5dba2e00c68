/// How many requests a call or an event concerns, so that a long decision can be made off the centers' thread.
extension Schedule {
    /// How many regions are looked at in the time that a change of one takes.
    static let looksPerChange = 16

    /// The number of requests that are pending or have notices.
    var size: Int { entries.count + notices.count }

    /// The number of elements of series.
    var sizeOfSeries: Int { entries.members.count + notices.members.count }

    /// The number of requests that an event concerns, or 0 if it concerns one alone. What is due, and what a fix
    /// changes or looks at, is counted up to `limit`.
    func size(of event: ScheduleEvent, at now: TriggerInstant, upTo limit: Int) -> Int {
        switch event {
        case .restored(let state, _, _): state.pending.count + state.deliveries.count
        case .clockSet, .clockSynchronized, .zoneChanged: size
        case .woke:
            entries.dueCount(at: now, upTo: limit) + notices.dueCount(at: now, upTo: limit)
                + (clock.doubt.map { $0.until <= now.boot ? $0.deferred.count : 0 } ?? 0)
        case .responded(let response): response.request?.series.map { size(ofSeries: $0) } ?? 0
        case .closed(let key, let reason, _) where reason.kind == .dismissed:
            notices.idsByReceipt[key].map { size(endedByDismissalOf: $0) } ?? 0
        case .serverGone, .serverCame: notices.count
        case .positionFix(let fix) where regions.index.count >= limit: size(of: fix, at: now, upTo: limit)
        case .feedReturned(let query, let result):
            // Each fix since the last result evaluates each new region.
            result.items.count * (1 + (feeds.watches[query.feed]?.track.count ?? 0) / Self.looksPerChange)
        default: 0
        }
    }

    /// The number of requests with these identifiers, and of the elements of series.
    func size(of ids: [String]) -> Int { ids.reduce(ids.count) { $0 + size(ofSeries: $1) } }

    /// The number of requests that an owner has and wants.
    func size(of wanted: OwnedRequests) -> Int {
        let known = owners[.app(wanted.owner)].values.lazy.flatMap(\.requestIDs)
        return wanted.entries.reduce(size(of: Array(known))) { $0 + ($1.requests?.count ?? 0) }
    }

    /// The number of requests that a snooze concerns: it also silences the other elements of a series.
    func size(ofSnoozing response: NoticeResponse) -> Int {
        let series = notices[response.requestID]?.delivered?.traits.series ?? response.request?.series
        return 1 + (series.map { size(ofSeries: $0) } ?? 0)
    }

    private func size(endedByDismissalOf id: String) -> Int {
        guard let traits = notices[id]?.delivered?.traits, traits.dismissalEnds, let base = traits.series else {
            return 0
        }
        return size(ofSeries: base)
    }

    private func size(ofSeries base: String) -> Int {
        (entries.members[base]?.count ?? 0) + (notices.members[base]?.count ?? 0)
    }
}
