/// The result of a removal.
struct Removal: Sendable {
    var report = NoticeCenter.RemovalReport()
    /// The canceled deliveries that are still in flight. The removal is done when each of them is released.
    var inFlight: Set<DeliveryReference> = []
}

extension Schedule {
    /// Removes requests for the app, and on demand also their delivered notices. The identifier of a series includes
    /// its elements.
    mutating func remove(_ ids: [String], includingDelivered: Bool) -> Removal {
        disown(ids)
        if includingDelivered { for id in ids { withdrawAll(of: id) } }
        return remove(ids)
    }

    mutating func removeAll() -> Removal {
        disownAll()
        var removal = Removal()
        for id in Set(entries.ids).union(notices.ids).sorted() { remove(id, nil, &removal) }
        return removal
    }

    /// Removes notices from the screen; nil means all of them.
    mutating func removeDelivered(_ ids: [String]?) {
        for id in (ids ?? Array(notices.ids)).sorted() { withdraw(id, detail: "taken down by the app") }
    }

    /// Removes requests, which then deliver nothing. Notices on the screen stay.
    @discardableResult
    mutating func remove(_ ids: [String], detail: String? = nil) -> Removal {
        var removal = Removal()
        for id in ids {
            let before = removal.report.removed.count
            // The base of a series includes its elements.
            for member in membersOfSeries(id) where member != id { remove(member, detail, &removal) }
            remove(id, detail, &removal)
            if removal.report.removed.count == before { removal.report.notFound.append(id) }
        }
        // An element may have been passed together with its base.
        let removed = removal.report.notFound.isEmpty ? [] : Set(removal.report.removed.map(\.id))
        removal.report.notFound.removeAll(where: removed.contains)
        return removal
    }

    private mutating func remove(_ id: String, _ detail: String?, _ removal: inout Removal) {
        let states = states(of: id)
        if !states.isEmpty { removal.report.removed.append(.init(id: id, states: states)) }
        endRequest(id, .removed, detail: detail)
        if let delivery = cancelDelivery(id, .removed, detail) { removal.inFlight.insert(delivery) }
    }

    /// Removes one request if its revision is still the same, and its delivery that is in flight.
    mutating func removeOne(_ id: String, revision: Int64, detail: String) {
        if entries[id]?.revision == revision { endRequest(id, .removed, detail: detail) }
        if notices[id]?.snoozed?.revision == revision { cancelSnooze(id, .removed, detail) }
        guard let underWay = notices[id]?.underWay, underWay.record.revision == revision else { return }
        let keepsQueued = underWay.queued.map { $0.record.revision != revision } ?? false
        cancelDelivery(id, .removed, detail, keepsQueued: keepsQueued)
    }

    /// Ends a pending request, if there is one, and records it in the history.
    mutating func endRequest(
        _ id: String,
        _ outcome: HistoryEntry.Outcome,
        late: Int64? = nil,
        detail: String?,
        errorCode: NoticeError.Code? = nil
    ) {
        guard let slot = entries.slot(of: id), let entry = entries[slot] else { return }
        removeEntry(slot)
        record(entry, outcome, late: late, detail: detail, errorCode: errorCode)
    }

    /// Cancels notices that are not on the screen: a delivery and a snoozed notice. Returns the delivery if it is still
    /// in flight.
    @discardableResult
    mutating func cancelDelivery(
        _ id: String,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?,
        keepsQueued: Bool = false
    ) -> DeliveryReference? {
        if !keepsQueued { cancelSnooze(id, outcome, detail) }
        guard var state = notices[id], var underWay = state.underWay else { return nil }
        if !underWay.isCancelled {
            cancel(underWay.occurrence, outcome, detail)
            underWay.occurrence.isAwaited = false
        }
        if let queued = underWay.queued, !keepsQueued {
            cancel(queued, outcome, detail)
            underWay.queued = nil
        }
        let isWaiting = underWay.isWaiting
        underWay.phase = .cancelled
        state.underWay = isWaiting ? nil : underWay
        setNotice(state)
        return isWaiting ? nil : underWay.record.reference
    }

    private mutating func cancel(
        _ occurrence: NoticeState.Occurrence,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?
    ) {
        let delivery = occurrence.record
        record(delivery, outcome, detail: detail)
        // The user has not seen it, and won't.
        if notices[delivery.requestID]?.delivered == nil { forgetArrival(delivery) }
        // Now, not when the backend is done with it: it must not reappear after a crash in between.
        store(.removeDelivery(id: delivery.id))
        conclude(occurrence, "was removed before it could be shown")
    }

    // MARK: Series

    /// Returns the elements that are pending, in flight or on the screen, in a stable order. O(elements).
    func membersOfSeries(_ base: String) -> [String] {
        let (pending, notified) = (entries.members[base], notices.members[base])
        guard pending != nil || notified != nil else { return [] }
        return (pending ?? []).union(notified ?? []).sorted()
    }

    /// Removes a notice from the screen, and those of a series with that identifier.
    mutating func withdrawAll(of id: String) {
        withdraw(id, detail: "taken down by the app")
        withdrawSeries(id, except: nil)
    }

    /// Ends a series: removes its pending elements and withdraws its notices.
    mutating func endSeries(_ base: String, except responded: String?) {
        withdrawSeries(base, except: responded)
        let detail = "its series '\(base)' ended"
        var removal = Removal()
        for id in membersOfSeries(base) { remove(id, detail, &removal) }
    }

    private mutating func withdrawSeries(_ base: String, except responded: String?) {
        for id in membersOfSeries(base) where id != responded { withdraw(id, detail: "its series ended") }
        if !notices.summaryIDs.isEmpty {
            endSummaries(ofSeries: base, except: responded, detail: "its series '\(base)' ended")
        }
    }
}
