import Foundation

extension EmbeddedCenter {
    func pending() async throws(NoticeError) -> [PendingNotice] { try await pending(from: 0, atMost: .max).page }

    /// A part of the list, and whether there is more of it. Only the contents of that part are read.
    func pending(
        from offset: Int,
        atMost limit: Int
    ) async throws(NoticeError) -> (page: [PendingNotice], hasMore: Bool) {
        try await settle()
        var all = schedule.pendingItems
        all.sort(by: PendingItem.comes)
        var notices: [PendingNotice] = []
        // Some thousands of contents at a time: others want the store too.
        var rest = all.dropFirst(offset)
        // What can't be read is made up for: a page is empty only at the end.
        while !rest.isEmpty, notices.count < limit {
            let part = rest.prefix(min(4_096, limit - notices.count))
            rest = rest.dropFirst(part.count)
            let requests = try await store.requests(revisions: part.map(\.revision))
            for item in part {
                guard let stored = requests[item.revision] else {
                    // Removed in the meantime, or damaged.
                    guard schedule.entries[item.id]?.revision == item.revision else { continue }
                    tellUnreadable(item.id)
                    let next = item.next.map { Date(microsecondsSince1970: $0) }
                    notices.append(PendingNotice(unreadable: item.id, next: next, fired: item.fired))
                    continue
                }
                notices.append(
                    PendingNotice(
                        request: stored.pending(as: item),
                        next: item.next.map { Date(microsecondsSince1970: $0) },
                        fired: item.fired,
                        snoozedUntil: item.snoozedUntil.map { Date(microsecondsSince1970: $0) },
                        snoozeCount: item.snoozes,
                        nextFiring: item.firing.map { Date(microsecondsSince1970: $0) },
                        states: item.states
                    )
                )
            }
        }
        guard rest.isEmpty else { return (notices, true) }
        let lost = try await lostRequests().dropFirst(offset - min(offset, all.count))
        let room = limit - notices.count
        notices += lost.prefix(room).map { PendingNotice(unreadable: $0, next: nil, fired: 0) }
        return (notices, lost.count > room)
    }

    /// The identifiers of what the store has lost and nobody has acknowledged: they end the list.
    private func lostRequests() async throws(NoticeError) -> [String] {
        let lost = try await store.unreadableRequests().compactMap(\.id)
        return Set(lost).filter { schedule.entries[$0] == nil }.sorted()
    }

    func tellUnreadable(_ id: String) {
        let message = "The content of the request '\(id)' can't be read: add it anew, or remove it."
        eventBroadcast.send(.problem(NoticeError(.contentUnreadable, message)))
    }

    func nextFireDate() async throws(NoticeError) -> Date? {
        try await settle()
        return schedule.nextDue.map { Date(microsecondsSince1970: $0) }
    }

    func nextFireDate(of id: String) async throws(NoticeError) -> Date? {
        try await settle()
        return schedule.nextDue(of: id).map { Date(microsecondsSince1970: $0) }
    }

    func pendingSeries() async throws(NoticeError) -> [PendingSeries] {
        try await settle()
        let all = schedule.pendingSeries
        let requests = try await store.requests(revisions: all.map(\.nextRevision))
        var found: [PendingSeries] = []
        for series in all {
            guard let request = requests[series.nextRevision] else { continue }
            let place = request.seriesPlace
            found.append(
                PendingSeries(
                    base: series.base,
                    title: request.content.title,
                    left: series.left,
                    next: series.next.map { Date(microsecondsSince1970: $0) },
                    first: place?.first ?? series.next.map { Date(microsecondsSince1970: $0) },
                    last: series.last.map { Date(microsecondsSince1970: $0) },
                    kept: place?.kept ?? series.left,
                    total: place?.count ?? series.left
                )
            )
        }
        return found
    }
}

extension NoticeRequest {
    /// A summary refers to the request of its latest notice, and has an identifier of its own.
    fileprivate func pending(as item: PendingItem) -> NoticeRequest {
        guard let record = item.record, record.summary != nil else { return self }
        var request = NoticeRequest(id: item.id, content: content(of: record))
        request.languages = languages
        return request
    }

    /// The content at the firing that a delivery shows.
    func content(of record: DeliveryRecord) -> NoticeContent {
        var shown = content.escalated(by: escalation, atFiring: record.firing)
        guard let mark = record.summary else { return shown }
        shown = shown.summarized(mark.count)
        shown.level = record.traits.level
        return shown
    }
}
