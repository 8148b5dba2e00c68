import FoundationEssentials

/// The notices that will still be shown under one identifier: a request, a delivery of it that waits or is in flight, a
/// snoozed notice, or several of these.
struct PendingItem {
    var id: String
    var revision: Int64
    /// If there is no request: the delivery that has the content.
    var record: DeliveryRecord?
    /// Empty if ``next`` describes the state completely.
    var states: [NoticeStatus] = []
    /// Microseconds since 1970; nil if it waits for no time, and if everything is in flight.
    var next: Int64?
    /// The request's own next firing, on the same clock.
    var firing: Int64?
    var fired: Int
    var snoozedUntil: Int64?
    var snoozes = 0

    /// Sorts items that are in flight first, then by date, then those that wait for no time.
    static func comes(_ left: Self, before right: Self) -> Bool {
        (left.order, left.revision) < (right.order, right.revision)
    }

    private var order: Int64 {
        if case .inFlight(nil, _)? = states.first { return .min }
        return next ?? .max
    }
}

extension Schedule {
    /// The count for the pending limit: identifiers with a pending request or a snoozed notice. O(snoozed).
    var pendingCount: Int {
        entries.count + notices.snoozedIDs.count { entries.slot(of: $0) == nil }
    }

    func isPending(_ id: String) -> Bool { entries.slot(of: id) != nil || notices[id]?.snoozed != nil }

    /// The number of identifiers for which ``pendingItem(_:)`` returns an item. O(notices).
    var listedCount: Int {
        entries.count + notices.ids.count { entries.slot(of: $0) == nil && willShow($0) }
    }

    /// Returns whether one of its notices will still be shown, apart from its request's firings.
    private func willShow(_ id: String) -> Bool {
        notices.value(of: id) { $0.underWay?.wanted != nil || $0.snoozed != nil } ?? false
    }

    func pendingItem(_ id: String) -> PendingItem? {
        let state = notices[id]
        let (underWay, snoozed) = (state?.underWay?.wanted?.record, state?.snoozed)
        let entry = entries[id]
        guard let revision = entry?.revision ?? underWay?.revision ?? snoozed?.revision else { return nil }
        var item = PendingItem(
            id: id,
            revision: revision,
            record: entry == nil ? underWay ?? snoozed : nil,
            firing: entry.flatMap(wallDeadline),
            fired: entry?.progress.fired ?? (underWay ?? snoozed)?.firing ?? 0,
            snoozedUntil: snoozed.map(snoozeEnd),
            snoozes: (snoozed ?? underWay)?.snoozes ?? 0
        )
        if underWay != nil || clock.doubt != nil { item.states = states(of: id) }
        let dates = item.states.compactMap { $0.next?.microsecondsSince1970 }
        item.next = item.states.isEmpty ? [item.firing, item.snoozedUntil].compactMap { $0 }.min() : dates.min()
        return item
    }

    /// Returns the states of all notices that will still be shown under an identifier, soonest first; empty if there
    /// are none.
    ///
    /// - Parameter base: Only the states of what belongs to this series; nil returns all.
    func states(of id: String, inSeries base: String? = nil) -> [NoticeStatus] {
        func isIncluded(_ series: String?) -> Bool { base == nil || series == base }
        var states: [NoticeStatus] = []
        if let entry = entries[id], isIncluded(entry.series) { states.append(status(of: entry)) }
        let state = notices[id]
        if let underWay = state?.underWay, let wanted = underWay.wanted,
            isIncluded(wanted.record.traits.series) || isIncluded(underWay.queued?.record.traits.series)
        {
            states.append(status(of: underWay))
        }
        if let snoozed = state?.snoozed, isIncluded(snoozed.traits.series) {
            let until = Date(microsecondsSince1970: snoozeEnd(snoozed))
            states.append(doubtStatus(of: snoozed.doubtItem) ?? .snoozed(until: until))
        }
        return states.count > 1 ? states.sorted { $0.comes(before: $1) } : states
    }

    private func status(of entry: ScheduleEntry) -> NoticeStatus {
        doubtStatus(of: entry.doubtItem)
            ?? .pending(next: wallDeadline(of: entry).map { Date(microsecondsSince1970: $0) })
    }

    private func doubtStatus(of item: @autoclosure () -> ClockDoubt.Item) -> NoticeStatus? {
        guard let doubt = clock.doubt, doubt.deferred.contains(item()) else { return nil }
        return .deferred(until: date(ofBoot: doubt.until), reason: .clockInDoubt)
    }

    private func status(of underWay: NoticeState.UnderWay) -> NoticeStatus {
        if let status = doubtStatus(of: underWay.record.doubtItem) { return status }
        if let end = underWay.deferredUntil {
            return .deferred(until: Date(microsecondsSince1970: end), reason: .quietHours)
        }
        return .inFlight(nextAttempt: underWay.retryAt.map(date(ofBoot:)), reason: underWay.failure)
    }

    /// Returns the wall time of an entry's next firing; nil if it waits for no time.
    func wallDeadline(of entry: ScheduleEntry) -> Int64? {
        entry.deadline.map { entry.waitsOnBootClock ? $0 - now.boot + now.wall : $0 }
    }

    func date(ofBoot boot: Int64) -> Date { Date(microsecondsSince1970: boot - now.boot + now.wall) }

    /// The pending elements of each series, soonest first, and the series in the order of those. O(elements).
    var pendingSeries: [(base: String, elements: [PendingItem])] {
        let bases = Set(entries.members.bases).union(notices.members.bases)
        return bases.map { base in
            let ids = membersOfSeries(base).filter { !states(of: $0, inSeries: base).isEmpty }
            return (base, ids.compactMap(pendingItem).sorted(by: PendingItem.comes))
        }
        .filter { !$0.elements.isEmpty }
        .sorted { ($0.elements[0].next ?? .max, $0.base) < ($1.elements[0].next ?? .max, $1.base) }
    }
}
