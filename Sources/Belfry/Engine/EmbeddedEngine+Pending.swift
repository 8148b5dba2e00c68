import FoundationEssentials

extension EmbeddedEngine {
    private static let slice = CenterThread.turnLimit

    func pending() async throws(NoticeError) -> [PendingNotice] {
        var notices: [PendingNotice] = []
        var rest = try await pendingIDs()[...]
        // To move a long list to a larger place takes long.
        notices.reserveCapacity(rest.count)
        while !rest.isEmpty {
            notices += try await pending(rest.prefix(Self.slice)).compactMap(\.self)
            rest = rest.dropFirst(Self.slice)
        }
        return notices
    }

    /// Returns the identifiers of the pending list in order, followed by the requests that the store has lost. O(n log
    /// n), of which O(n) runs on the centers' thread, in slices.
    func pendingIDs() async throws(NoticeError) -> [String] {
        try await settle()
        var items: [PendingItem] = []
        var slot = 0
        while let ids = schedule.entries.idSlice(from: slot, slotCount: Self.slice) {
            items += ids.compactMap { schedule.pendingItem($0) }
            slot += Self.slice
            await CenterThread.shared.letOthersWork()
        }
        slot = 0
        while let ids = schedule.notices.idSlice(from: slot, slotCount: Self.slice) {
            items += ids.compactMap { schedule.pendingItem($0) }
            slot += Self.slice
            await CenterThread.shared.letOthersWork()
        }
        let all = items
        let sorted = await longWork.perform {
            // Notices of requests that stay pending appear twice.
            var seen: Set<String> = []
            return all.sorted(by: PendingItem.comes).map(\.id).filter { seen.insert($0).inserted }
        }
        return sorted + (try await lostRequests())
    }

    /// Returns the notices for some of ``pendingIDs()``; nil for each that was removed in the meantime.
    func pending(_ ids: ArraySlice<String>) async throws(NoticeError) -> [PendingNotice?] {
        try await open()
        let items = ids.map { schedule.pendingItem($0) }
        let requests = try await setup.store.requests(revisions: items.compactMap { $0?.revision })
        let lost = items.contains { $0 == nil } ? Set(try await lostRequests()) : []
        return zip(ids, items).map { id, item in
            guard let item else { return lost.contains(id) ? PendingNotice(unreadable: id, next: nil, fired: 0) : nil }
            return notice(of: item, requests[item.revision])
        }
    }

    /// Returns nil if the request was removed in the meantime.
    private func notice(of item: PendingItem, _ stored: NoticeRequest?) -> PendingNotice? {
        guard let stored else {
            guard schedule.entries[item.id]?.revision == item.revision else { return nil }
            reportUnreadable(item.id)
            let next = item.next.map { Date(microsecondsSince1970: $0) }
            return PendingNotice(unreadable: item.id, next: next, fired: item.fired)
        }
        return PendingNotice(
            request: stored.pending(as: item),
            next: item.next.map { Date(microsecondsSince1970: $0) },
            fired: item.fired,
            snoozedUntil: item.snoozedUntil.map { Date(microsecondsSince1970: $0) },
            snoozeCount: item.snoozes,
            nextFiring: item.firing.map { Date(microsecondsSince1970: $0) },
            states: item.states
        )
    }

    /// Returns the identifiers of lost requests that are not acknowledged yet. They come last in the list.
    private func lostRequests() async throws(NoticeError) -> [String] {
        let lost = try await setup.store.unreadableRequests().compactMap(\.id)
        return Set(lost).filter { schedule.entries[$0] == nil }.sorted()
    }

    func reportUnreadable(_ id: String) {
        let message = "The content of the request '\(id)' can't be read: add it anew, or remove it."
        report(NoticeError(.contentUnreadable, message))
    }

    func nextFireDate() async throws(NoticeError) -> Date? {
        try await settle()
        return schedule.nextDue.map { Date(microsecondsSince1970: $0) }
    }

    func nextFireDate(of id: String) async throws(NoticeError) -> Date? {
        try await settle()
        return schedule.nextDue(of: id).map { Date(microsecondsSince1970: $0) }
    }

    func pendingSeries() async throws(NoticeError) -> [NoticeSeries.Pending] {
        try await settle()
        let all = await perform(on: queue(isLong: Self.isLong(schedule.sizeOfSeries))) { [schedule] in
            schedule.pendingSeries
        }
        var requests = try await setup.store.requests(revisions: all.map(\.elements[0].revision))
        // The content of a first element may be unreadable: another element of its series has the same.
        let others = all.filter { requests[$0.elements[0].revision] == nil }.flatMap { $0.elements.dropFirst() }
        if !others.isEmpty {
            requests.merge(try await setup.store.requests(revisions: others.map(\.revision))) { $1 }
        }
        var found: [NoticeSeries.Pending] = []
        for (base, elements) in all {
            guard let request = elements.lazy.compactMap({ requests[$0.revision] }).first else { continue }
            let dates = elements.compactMap(\.next).map { Date(microsecondsSince1970: $0) }
            let next = elements[0].next.map { Date(microsecondsSince1970: $0) }
            let position = request.seriesPosition
            found.append(
                NoticeSeries.Pending(
                    id: base,
                    title: request.content.title,
                    left: elements.count,
                    next: next,
                    first: position?.first ?? next,
                    last: dates.max(),
                    kept: position?.kept ?? elements.count,
                    total: position?.count ?? elements.count
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

    /// Returns the content that a delivery shows, at its firing.
    func content(of record: DeliveryRecord) -> NoticeContent {
        var shown = content.escalated(by: escalation, atFiring: record.firing)
        guard let mark = record.summary else { return shown }
        shown = shown.summarized(mark.count)
        shown.level = record.traits.level
        return shown
    }
}
