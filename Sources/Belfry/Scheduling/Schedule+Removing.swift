/// What a removal has taken out.
struct Removal: Sendable {
    var report = NoticeCenter.RemovalReport()
    /// What it called off and the backend still has: the removal is done when each of them is released.
    var inFlight: Set<DeliveryReference> = []
}

extension Schedule {
    /// Takes requests out: they deliver nothing afterwards. What is on the screen stays.
    @discardableResult
    mutating func remove(_ ids: [String], outcome: HistoryEntry.Outcome, detail: String?) -> Removal {
        var removal = Removal()
        for id in ids {
            let before = removal.report.removed.count
            // The base of a series stands for its elements.
            for member in membersOfSeries(id) where member != id { take(out: member, outcome, detail, &removal) }
            take(out: id, outcome, detail, &removal)
            if removal.report.removed.count == before { removal.report.notFound.append(id) }
        }
        // An element may have been named together with its base.
        let removed = removal.report.notFound.isEmpty ? [] : Set(removal.report.removed.map(\.id))
        removal.report.notFound.removeAll(where: removed.contains)
        return removal
    }

    private mutating func take(
        out id: String,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?,
        _ removal: inout Removal
    ) {
        let states = states(of: id)
        if !states.isEmpty { removal.report.removed.append(.init(id: id, states: states)) }
        removePending(id, outcome, detail)
        if let delivery = cancelDelivery(id, outcome, detail) { removal.inFlight.insert(delivery) }
    }

    private mutating func remove(all ids: [String], of base: String?, detail: String?) -> Removal {
        var removal = Removal()
        for id in ids { take(out: id, .removed, detail, &removal) }
        if let base, removal.report.removed.isEmpty { removal.report.notFound = [base] }
        return removal
    }

    /// Elements that are pending, on their way or on the screen, in a stable order. O(elements).
    func membersOfSeries(_ base: String) -> [String] {
        let (pending, notified) = (entries.members[base], notices.members[base])
        guard pending != nil || notified != nil else { return [] }
        return (pending ?? []).union(notified ?? []).sorted()
    }

    mutating func removeEverything() -> Removal {
        let all = Set(entries.ids).union(notices.ids)
        return remove(all: all.sorted(), of: nil, detail: nil)
    }

    /// Takes out one request if it is still the one of that revision, and the delivery of it that is under way.
    mutating func removeOne(_ id: String, revision: Int64, outcome: HistoryEntry.Outcome, detail: String) {
        if entries[id]?.revision == revision { removePending(id, outcome, detail) }
        if notices[id]?.snoozed?.revision == revision { cancelSnooze(id, outcome, detail) }
        guard let coming = notices[id]?.coming, coming.occurrence.revision == revision else { return }
        let keepsQueued = coming.queued.map { $0.revision != revision } ?? false
        cancelDelivery(id, outcome, detail, keepsQueued: keepsQueued)
    }

    private mutating func removePending(_ id: String, _ outcome: HistoryEntry.Outcome, _ detail: String?) {
        guard let old = removeEntry(id) else { return }
        store(.removeRequest(revision: old.revision))
        record(id, outcome, thread: old.traits.thread, detail: detail)
    }

    /// Calls off what is not on the screen: a delivery, and what was put off. Returns the delivery where the backend still has
    /// it.
    @discardableResult
    mutating func cancelDelivery(
        _ id: String,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?,
        keepsQueued: Bool = false
    ) -> DeliveryReference? {
        if !keepsQueued { cancelSnooze(id, outcome, detail) }
        guard var state = notices[id], var coming = state.coming else { return nil }
        if !coming.isCancelled {
            callOff(id, coming.occurrence, outcome, detail)
            coming.occurrence.isAwaited = false
        }
        if let queued = coming.queued, !keepsQueued {
            callOff(id, queued, outcome, detail)
            coming.queued = nil
        }
        let isInFlight = !coming.isWaiting
        coming.isCancelled = true
        state.coming = isInFlight ? coming : nil
        setNotice(state)
        return isInFlight ? coming.occurrence.record.reference : nil
    }

    private mutating func callOff(
        _ id: String,
        _ occurrence: NoticeState.Occurrence,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?
    ) {
        record(id, outcome, thread: occurrence.traits.thread, detail: detail)
        // Nobody has seen it, and nobody will.
        if notices[id]?.standing == nil { forgetArrival(occurrence.record) }
        // At once, not when the backend is done with it: after a crash in between it must not come back.
        store(.removeDelivery(id: occurrence.deliveryID))
        conclude(occurrence, NoticeError(.rejected, "The notice '\(id)' was removed before it could be shown."))
    }

    /// Ends a series: its pending elements are removed, those on the screen withdrawn.
    @discardableResult
    mutating func endSeries(_ base: String, except answered: String?) -> Removal {
        let members = membersOfSeries(base)
        for id in members where id != answered { withdrawStanding(id, detail: "its series ended") }
        let removal = remove(all: members, of: base, detail: "its series '\(base)' ended")
        if !notices.summaryIDs.isEmpty { endSummaries(ofSeries: base, except: answered) }
        return removal
    }

    /// Takes out what is pending of a series, and what is on its way to the screen; what is there stays.
    mutating func removeElements(of base: String) -> Removal {
        remove(all: membersOfSeries(base), of: base, detail: "its series '\(base)' was removed")
    }

    mutating func withdrawStanding(_ id: String, detail: String) {
        guard var state = notices[id], let standing = state.standing else { return }
        state.standing = nil
        setNotice(state)
        forgetArrival(standing.record)
        store(.removeDelivery(id: standing.deliveryID))
        record(id, .closed, thread: standing.traits.thread, detail: detail, backend: standing.receipt.backend)
        emit(.withdraw(standing.receipt))
    }
}
