/// What is pending under one identifier: a request, or one of its notices that was put off, or both.
struct PendingItem {
    var id: String
    var revision: Int64
    /// Microseconds since 1970; nil where it waits for no time.
    var next: Int64?
    /// The request's own next firing, on the same clock.
    var firing: Int64?
    var fired: Int
    var snoozedUntil: Int64?
    var snoozes = 0
}

/// What is pending of a series.
struct PendingElements {
    var base: String
    var left: Int
    /// Where the content of the next one is.
    var nextRevision: Int64
    var next: Int64?
    var last: Int64?
}

extension Schedule {
    /// What a pending limit counts: identifiers under which a request waits, or a notice that was put off. O(snoozed).
    var pendingCount: Int {
        var count = entries.count
        func countLonely(_ item: DeadlineQueue.Item) {
            guard let id = notices[item.slot]?.id, entries.slot(of: id) == nil else { return }
            count += 1
        }
        snoozeWallQueue.forEach(countLonely)
        snoozeBootQueue.forEach(countLonely)
        return count
    }

    func isPending(_ id: String) -> Bool { entries.slot(of: id) != nil || notices[id]?.snoozed != nil }

    /// In no order. O(n).
    var pendingItems: [PendingItem] {
        var items: [PendingItem] = []
        items.reserveCapacity(entries.count)
        for id in entries.ids { if let item = pendingItem(id) { items.append(item) } }
        guard snoozeWallQueue.count > 0 || snoozeBootQueue.count > 0 else { return items }
        for id in notices.ids where entries.slot(of: id) == nil { if let item = pendingItem(id) { items.append(item) } }
        return items
    }

    private func pendingItem(_ id: String) -> PendingItem? {
        let snoozed = notices[id]?.snoozed
        guard let entry = entries[id] else {
            guard let snoozed else { return nil }
            let end = snoozeEnd(snoozed)
            return PendingItem(
                id: id,
                revision: snoozed.revision,
                next: end,
                fired: snoozed.firing,
                snoozedUntil: end,
                snoozes: snoozed.snoozes
            )
        }
        return PendingItem(
            id: id,
            revision: entry.revision,
            next: nextDue(of: id),
            firing: entry.deadline.map { entry.waitsOnBootClock ? $0 - now.boot + now.wall : $0 },
            fired: entry.progress.fired,
            snoozedUntil: snoozed.map(snoozeEnd),
            snoozes: snoozed?.snoozes ?? 0
        )
    }

    /// Those that come next at the front. O(elements).
    var pendingSeries: [PendingElements] {
        var bases = Set(seriesMembers.keys)
        for (base, ids) in seriesNotices where ids.contains(where: { notices[$0]?.snoozed != nil }) {
            bases.insert(base)
        }
        var all: [PendingElements] = []
        for base in bases {
            let items = membersOfSeries(base).compactMap(pendingItem)
            guard let next = items.min(by: { ($0.next ?? .max, $0.revision) < ($1.next ?? .max, $1.revision) }) else {
                continue
            }
            all.append(
                PendingElements(
                    base: base,
                    left: items.count,
                    nextRevision: next.revision,
                    next: next.next,
                    last: items.compactMap(\.next).max()
                )
            )
        }
        return all.sorted { ($0.next ?? .max, $0.base) < ($1.next ?? .max, $1.base) }
    }
}
