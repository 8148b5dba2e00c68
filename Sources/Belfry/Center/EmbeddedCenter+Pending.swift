import Foundation

extension EmbeddedCenter {
    func pending() async throws(NoticeError) -> [PendingNotice] {
        try await settle()
        var all = schedule.pendingItems
        all.sort { ($0.next ?? .max, $0.revision) < ($1.next ?? .max, $1.revision) }
        var notices: [PendingNotice] = []
        // Some thousands of contents at a time: others want the store too.
        for start in stride(from: 0, to: all.count, by: 4_096) {
            let part = all[start..<min(all.count, start + 4_096)]
            let requests = try await store.requests(revisions: part.map(\.revision))
            for item in part {
                guard let request = requests[item.revision] else {
                    // Removed in the meantime, or spoilt.
                    if schedule.entries[item.id]?.revision == item.revision { tellUnreadable(item.id) }
                    continue
                }
                notices.append(
                    PendingNotice(
                        request: request,
                        next: item.next.map { Date(microsecondsSince1970: $0) },
                        fired: item.fired,
                        snoozedUntil: item.snoozedUntil.map { Date(microsecondsSince1970: $0) },
                        snoozeCount: item.snoozes,
                        nextFiring: item.firing.map { Date(microsecondsSince1970: $0) }
                    )
                )
            }
        }
        return notices
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
    /// The content at the firing that a delivery shows.
    func content(of record: DeliveryRecord) -> NoticeContent {
        var shown = content.escalated(by: escalation, atFiring: record.firing)
        guard let mark = record.summary else { return shown }
        shown = shown.summarized(mark.count)
        shown.level = record.traits.level
        return shown
    }
}
