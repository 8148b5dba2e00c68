/// The result of a removal.
struct Removal: Sendable {
    var report = NoticeCenter.RemovalReport()
    /// The canceled deliveries that are still in flight. The removal is done when each of them is released.
    var inFlight: Set<DeliveryReference> = []
    /// What was removed of the requests with summaries and is not in the report yet, by identifier.
    var summarized: [String: (member: SummaryMark.Member, states: [NoticeStatus])] = [:]
}

extension Schedule {
    /// Removes requests for the app, which then deliver nothing, and on demand also their delivered notices. The
    /// identifier of a series includes its elements.
    mutating func remove(_ ids: [String], includingDelivered: Bool) -> Removal {
        let all = Set(ids)
        func isRemoved(_ member: SummaryMark.Member) -> Bool {
            all.contains(member.requestID) || member.series.map(all.contains) ?? false
        }
        disown(ids)
        if includingDelivered {
            for id in ids {
                withdraw(id, detail: Self.takenDown)
                withdrawElements(of: id, except: nil)
            }
            withdrawSummaries(detail: Self.takenDown, of: isRemoved)
        }
        var removal = Removal()
        let summaries = cancelSummaries(nil, of: isRemoved)
        removal.inFlight.formUnion(summaries.inFlight)
        for (member, states) in summaries.members { removal.summarized[member.requestID] = (member, states) }
        for id in ids {
            let before = removal.report.removed.count
            // The base of a series includes its elements.
            for member in membersOfSeries(id) where member != id { remove(member, of: id, nil, &removal) }
            remove(id, of: nil, nil, &removal)
            if removal.report.removed.count == before { removal.report.notFound.append(id) }
        }
        // Nothing else is left of these elements of series.
        let elements = removal.summarized.values.sorted { $0.member.requestID < $1.member.requestID }
        removal.report.removed += elements.map { .init(id: $0.member.requestID, states: $0.states) }
        // An element may have been passed together with its base.
        let removed = removal.report.notFound.isEmpty ? [] : Set(removal.report.removed.map(\.id))
        let bases = Set(elements.compactMap(\.member.series))
        removal.report.notFound.removeAll { removed.contains($0) || bases.contains($0) }
        return removal
    }

    mutating func removeAll() -> Removal {
        disownAll()
        var removal = Removal()
        for id in Set(entries.ids).union(notices.ids).sorted() { remove(id, of: nil, nil, &removal) }
        return removal
    }

    /// Removes notices from the screen; nil means all of them.
    mutating func removeDelivered(_ ids: [String]?) {
        for id in ids ?? notices.ids.sorted() { withdraw(id, detail: Self.takenDown) }
        guard let ids = ids.map(Set.init) else { return }
        withdrawSummaries(detail: Self.takenDown) { ids.contains($0.requestID) }
    }

    private static let takenDown = "taken down by the app"

    /// Removes requests of an owner, and the elements of its series, but nothing of the app's own that is called like
    /// them.
    @discardableResult
    mutating func removeOwned(_ ids: [String], series bases: [String] = [], detail: String) -> Removal {
        let (requests, series) = (Set(ids), Set(bases))
        var removal = Removal()
        let summaries = cancelSummaries(detail) { $0.series.map(series.contains) ?? requests.contains($0.requestID) }
        removal.inFlight.formUnion(summaries.inFlight)
        for base in bases { removal.inFlight.formUnion(removeElements(of: base, detail).inFlight) }
        for id in ids {
            if let entry = entries[id], entry.series == nil { endRequest(id, .removed, detail: detail) }
            let delivery = cancelDelivery(id, .removed, detail) { $0.traits.series == nil }
            if let delivery { removal.inFlight.insert(delivery) }
        }
        return removal
    }

    /// Removes the elements of a series, and nothing else that is called like it.
    @discardableResult
    mutating func removeElements(of base: String, _ detail: String) -> Removal {
        var removal = Removal()
        for id in membersOfSeries(base) { remove(id, of: base, detail, &removal) }
        return removal
    }

    /// - Parameter base: Only what belongs to this series is removed, because the app may have used the identifier
    ///   again for something else. Nil removes everything.
    private mutating func remove(_ id: String, of base: String?, _ detail: String?, _ removal: inout Removal) {
        let states = states(of: id, inSeries: base) + (removal.summarized.removeValue(forKey: id)?.states ?? [])
        if !states.isEmpty { removal.report.removed.append(.init(id: id, states: states)) }
        if base == nil || entries[id]?.series == base { endRequest(id, .removed, detail: detail) }
        let delivery = cancelDelivery(id, .removed, detail) { base == nil || $0.traits.series == base }
        if let delivery { removal.inFlight.insert(delivery) }
    }

    /// Removes one request if its revision is still the same, and its notices that are not on the screen, also one that
    /// the app snoozed.
    mutating func removeOne(_ id: String, revision: Int64, detail: String) {
        if entries[id]?.revision == revision { endRequest(id, .removed, detail: detail) }
        cancelDelivery(id, .removed, detail) { $0.requestRevision == revision }
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
        record(entry.subject, outcome, late: late, detail: detail, errorCode: errorCode)
    }

    /// Cancels notices that are not on the screen: deliveries and a snoozed notice. Returns the canceled delivery that
    /// is still in flight, if there is one.
    @discardableResult
    mutating func cancelDelivery(
        _ id: String,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?,
        where isIncluded: (DeliveryRecord) -> Bool = { _ in true }
    ) -> DeliveryReference? {
        if let snoozed = notices[id]?.snoozed, isIncluded(snoozed) { cancelSnooze(id, outcome, detail) }
        guard var state = notices[id], var underWay = state.underWay else { return nil }
        let (isEnded, isWaiting) = (isIncluded(underWay.record), underWay.isWaiting)
        if isEnded, !underWay.isCancelled {
            cancel(underWay.occurrence, outcome, detail)
            underWay.occurrence.isAwaited = false
        }
        if let queued = underWay.queued, isIncluded(queued.record) {
            cancel(queued, outcome, detail)
            underWay.queued = nil
        }
        if isEnded { underWay.phase = .cancelled }
        state.underWay = isEnded && isWaiting ? nil : underWay
        setNotice(state)
        return isEnded && !isWaiting ? underWay.record.reference : nil
    }

    private mutating func cancel(
        _ occurrence: NoticeState.Occurrence,
        _ outcome: HistoryEntry.Outcome,
        _ detail: String?
    ) {
        let delivery = occurrence.record
        record(delivery.subject, outcome, detail: detail)
        // The user has not seen it, and won't.
        if notices[delivery.requestID]?.delivered == nil { forgetArrival(delivery) }
        // Now, not when the backend is done with it: it must not reappear after a crash in between.
        store(.removeDelivery(id: delivery.id))
        conclude(occurrence, "was removed before it could be shown")
    }

    // MARK: Series

    /// Returns the identifiers of the elements that are pending, in flight or on the screen, in a stable order. The
    /// same identifier may also have a request or notices of no series, or of another one. O(elements).
    func membersOfSeries(_ base: String) -> [String] {
        let (pending, notified) = (entries.members[base], notices.members[base])
        guard pending != nil || notified != nil else { return [] }
        return (pending ?? []).union(notified ?? []).sorted()
    }

    /// Ends a series: removes its pending elements and withdraws its notices.
    mutating func endSeries(_ base: String, except responded: String?) {
        let detail = "its series '\(base)' ended"
        withdrawElements(of: base, except: responded)
        endSummaries(ofSeries: base, except: responded, detail: detail)
        removeElements(of: base, detail)
    }

    /// Removes a notice from the screen if it is an element of a series.
    mutating func withdraw(_ id: String, of base: String, detail: String) {
        if notices[id]?.delivered?.traits.series == base { withdraw(id, detail: detail) }
    }

    private mutating func withdrawElements(of base: String, except responded: String?) {
        for id in (notices.members[base] ?? []).sorted() where id != responded {
            withdraw(id, of: base, detail: "its series ended")
        }
    }
}
