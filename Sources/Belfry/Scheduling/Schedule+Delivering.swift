extension Schedule {
    /// A due time is to be shown: now, or after the delivery of the same identifier that is under way.
    mutating func bring(_ id: String, _ occurrence: NoticeState.Occurrence) {
        var state = notices[id] ?? NoticeState(id: id)
        if var coming = state.coming {
            if coming.retryAt == nil {
                if let passed = coming.queued { superseded(id, passed) }
                coming.queued = occurrence
                state.coming = coming
                setNotice(id, state)
                return
            }
            superseded(id, coming.occurrence)
            batch.changes.append(.removeDelivery(id: coming.deliveryID))
        }
        start(id, occurrence, state)
    }

    private mutating func superseded(_ id: String, _ occurrence: NoticeState.Occurrence) {
        record(id, .missed, late: now.boot - occurrence.dueAt.boot, detail: "a later firing took its place")
        if let ticket = occurrence.ticket {
            let error = NoticeError(.rejected, "The notice '\(id)' was replaced before it could be shown.")
            batch.then.append(.answer(ticket, .failure(error)))
        }
    }

    private mutating func start(_ id: String, _ occurrence: NoticeState.Occurrence, _ state: NoticeState) {
        var state = state
        deliverySerial += 1
        // The wall clock makes it unique across restarts, the serial within one run.
        let coming = NoticeState.Coming(deliveryID: "\(now.wall)-\(deliverySerial)", occurrence: occurrence)
        state.coming = coming
        setNotice(id, state)
        batch.changes.append(.putDelivery(recordOf(id, coming)))
        batch.then.append(.deliver(order(id, coming, state.standing)))
    }

    private func recordOf(_ id: String, _ coming: NoticeState.Coming) -> DeliveryRecord {
        DeliveryRecord(
            id: coming.deliveryID, requestID: id, revision: coming.occurrence.revision,
            dueAt: coming.occurrence.dueAt, traits: coming.occurrence.traits)
    }

    private func order(
        _ id: String, _ coming: NoticeState.Coming, _ standing: NoticeState.Standing?
    ) -> DeliveryOrder {
        DeliveryOrder(
            reference: DeliveryReference(requestID: id, deliveryID: coming.deliveryID),
            revision: coming.occurrence.revision, dueAt: coming.occurrence.dueAt, replaces: standing?.receipt,
            isPossiblyRepeated: coming.isPossiblyRepeated, series: coming.occurrence.traits.series)
    }

    /// Tries a failed delivery again; what justifies it is in the store already.
    mutating func retry(_ id: String) {
        guard var state = notices[id], var coming = state.coming, coming.retryAt != nil else { return }
        coming.retryAt = nil
        state.coming = coming
        setNotice(id, state)
        batch.then.append(.deliver(order(id, coming, state.standing)))
    }

    mutating func delivered(_ reference: DeliveryReference, _ receipt: DeliveryReceipt, reportsDismissal: Bool) {
        batch.isFact = true
        let id = reference.requestID
        guard var state = notices[id], var coming = state.coming, coming.deliveryID == reference.deliveryID else {
            batch.then.append(.withdraw(receipt))
            return
        }
        state.coming = nil
        let replaced = state.standing
        if let replaced { takeDown(replaced, unless: receipt) }
        if let tickets = coming.cancelledBy {
            state.standing = nil
            setNotice(id, state)
            batch.changes.append(.removeDelivery(id: coming.deliveryID))
            batch.then.append(.withdraw(receipt))
            for ticket in tickets { answer(ticket, .done) }
            if let queued = coming.queued { start(id, queued, state) }
            return
        }
        coming.occurrence.traits.reportsDismissal = reportsDismissal
        state.standing = NoticeState.Standing(
            deliveryID: coming.deliveryID, revision: coming.occurrence.revision, dueAt: coming.occurrence.dueAt,
            shownAt: now, receipt: receipt, traits: coming.occurrence.traits)
        setNotice(id, state)
        var stored = recordOf(id, coming)
        stored.shownAt = now
        stored.receipt = receipt
        batch.changes.append(.putDelivery(stored))
        let lost = receipt.lost.isEmpty ? nil : "lost " + receipt.lost.map(\.description).joined(separator: "; ")
        record(
            id, .delivered, late: now.boot - coming.occurrence.dueAt.boot, detail: lost, backend: receipt.backend)
        if let ticket = coming.occurrence.ticket {
            batch.then.append(.answer(ticket, .success(.shown(reference, receipt, shownAt: now))))
        }
        if let queued = coming.queued { start(id, queued, state) }
    }

    /// A notice whose place was taken: withdrawn where the server did not replace it by itself.
    private mutating func takeDown(_ old: NoticeState.Standing, unless receipt: DeliveryReceipt) {
        batch.changes.append(.removeDelivery(id: old.deliveryID))
        if old.receipt.key != receipt.key { batch.then.append(.withdraw(old.receipt)) }
    }

    mutating func deliveryFailed(_ reference: DeliveryReference, _ error: NoticeError) {
        batch.isFact = true
        let id = reference.requestID
        guard var state = notices[id], var coming = state.coming, coming.deliveryID == reference.deliveryID,
            coming.retryAt == nil
        else { return }
        if let queued = coming.queued {
            superseded(id, coming.occurrence)
            coming.queued = nil
            coming.occurrence = queued
            batch.changes.append(.putDelivery(recordOf(id, coming)))
        }
        let late = now.boot - coming.occurrence.dueAt.boot
        let delay = Self.retryDelay(afterAttempt: coming.attempt)
        let isInWindow = coming.occurrence.traits.misfire.window.map { late + delay <= $0.microseconds } ?? true
        if error.isTransient, isInWindow, coming.occurrence.ticket == nil, coming.cancelledBy == nil {
            if coming.attempt == 1 { record(id, .retrying, late: late, detail: error.description) }
            coming.attempt += 1
            coming.retryAt = now.boot + delay
            state.coming = coming
            setNotice(id, state)
            return
        }
        end(id, state, coming, .failed, detail: error.description, error: error)
    }

    mutating func suppressed(_ reference: DeliveryReference, reason: String) {
        batch.isFact = true
        guard let state = notices[reference.requestID], let coming = state.coming,
            coming.deliveryID == reference.deliveryID
        else { return }
        let error = NoticeError(.rejected, "The notice '\(reference.requestID)' was suppressed: \(reason).")
        end(reference.requestID, state, coming, .suppressed, detail: reason, error: error)
    }

    /// A delivery that will not be shown.
    private mutating func end(
        _ id: String, _ state: NoticeState, _ coming: NoticeState.Coming, _ outcome: LedgerEntry.Outcome,
        detail: String, error: NoticeError
    ) {
        var state = state
        state.coming = nil
        setNotice(id, state)
        batch.changes.append(.removeDelivery(id: coming.deliveryID))
        record(id, outcome, late: now.boot - coming.occurrence.dueAt.boot, detail: detail)
        if let ticket = coming.occurrence.ticket { batch.then.append(.answer(ticket, .failure(error))) }
        for ticket in coming.cancelledBy ?? [] { answer(ticket, .done) }
        if let queued = coming.queued { start(id, queued, state) }
    }

    /// Microseconds from one attempt to the next: 1 s, doubled each time, 5 minutes at most.
    static func retryDelay(afterAttempt attempt: Int) -> Int64 {
        min(300, 1 << Int64(min(max(0, attempt - 1), 20))) * 1_000_000
    }
}
