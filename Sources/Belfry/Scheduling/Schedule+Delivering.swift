import FoundationEssentials

// Deliveries of due times, and their outcomes.
extension Schedule {
    /// Delivers a due time: now, or after the delivery of the same identifier that is in flight.
    @discardableResult
    mutating func deliver(
        _ entry: ScheduleEntry,
        dueAt: TriggerInstant,
        isAwaited: Bool = false,
        crossing: CircularRegion.Crossing? = nil
    ) -> DeliveryReference {
        let record = DeliveryRecord(
            id: Self.deliveryID(revision: entry.revision, fired: entry.progress.fired, at: now),
            requestID: entry.id,
            revision: entry.revision,
            dueAt: dueAt,
            traits: entry.firingTraits,
            firing: entry.firing,
            crossing: crossing
        )
        store(.putDelivery(record))
        let state = notices[entry.id] ?? NoticeState(id: entry.id)
        deliver(NoticeState.Occurrence(record: record, isAwaited: isAwaited), state)
        return record.reference
    }

    /// Delivers an occurrence that is stored already, or in the current transaction.
    mutating func deliver(_ occurrence: NoticeState.Occurrence, _ state: NoticeState) {
        guard var underWay = state.underWay else { return begin(occurrence, state) }
        guard !underWay.isWaiting else {
            supersede(underWay.occurrence)
            return begin(occurrence, state, wasDeferred: underWay.deferredUntil != nil)
        }
        if let skipped = underWay.queued { supersede(skipped) }
        underWay.queued = occurrence
        var state = state
        state.underWay = underWay
        setNotice(state)
    }

    /// - Parameter successor: what is shown instead, for the history.
    mutating func supersede(_ occurrence: NoticeState.Occurrence, by successor: String = "a later firing") {
        let delivery = occurrence.record
        record(delivery.subject, .missed, late: lateness(of: delivery), detail: "\(successor) took its place")
        store(.removeDelivery(id: delivery.id))
        conclude(occurrence, "was replaced before it could be shown")
    }

    /// - Parameter wasDeferred: an earlier firing waited already, and the history has recorded that.
    private mutating func begin(
        _ occurrence: NoticeState.Occurrence,
        _ state: NoticeState,
        wasDeferred: Bool = false
    ) {
        var underWay = NoticeState.UnderWay(occurrence: occurrence)
        if collapseSeries(with: occurrence) { return clearUnderWay(state.id) }
        if let end = quietEnd(for: occurrence) {
            `defer`(&underWay, until: end, isNews: !wasDeferred)
        } else if log.current.isFact, mayCoalesce(occurrence) {
            // A summary is a delivery of its own, which must be stored before it is made: at the next wake-up.
            underWay.phase = .retry(at: now.boot)
        } else if coalesce(occurrence) {
            // The firing that it replaced already has its outcome.
            return clearUnderWay(state.id)
        }
        proceed(underWay, state)
    }

    /// Of the elements of a series that wait for the end of quiet hours, only the latest is shown, as of a request that
    /// repeats. Ends those before this one; returns true if a later one waits and has taken its place.
    private mutating func collapseSeries(with occurrence: NoticeState.Occurrence) -> Bool {
        let delivery = occurrence.record
        guard notices.deferrals.count > 0, let base = delivery.traits.series, !goesOn(delivery) else { return false }
        let successor = "a later element of its series"
        let waiting = (notices.members[base] ?? []).compactMap { id -> NoticeState.Occurrence? in
            guard id != delivery.requestID, let underWay = notices[id]?.underWay, underWay.deferredUntil != nil,
                underWay.record.traits.series == base, !goesOn(underWay.record)
            else { return nil }
            return underWay.occurrence
        }
        let earlier = waiting.filter { $0.record.dueAt.wall <= delivery.dueAt.wall }
        // One that a caller waits for is shown now or never.
        if earlier.count < waiting.count, !occurrence.isAwaited {
            supersede(occurrence, by: successor)
            return true
        }
        for other in earlier.sorted(by: { $0.record.requestID < $1.record.requestID }) {
            supersede(other, by: successor)
            clearUnderWay(other.record.requestID)
        }
        return false
    }

    /// Whether the request of a delivery fires again, and so is no single element of its series.
    private func goesOn(_ delivery: DeliveryRecord) -> Bool {
        entries.value(of: delivery.requestID) { $0.revision == delivery.revision && $0.repeats } ?? false
    }

    /// Gives a delivery to the backend, unless it waits.
    private mutating func proceed(_ underWay: NoticeState.UnderWay, _ state: consuming NoticeState) {
        state.underWay = underWay
        setNotice(state)
        guard underWay.isInFlight else { return }
        emit(
            .deliver(
                DeliveryOrder(
                    record: underWay.record,
                    isPossiblyRepeated: underWay.isPossiblyRepeated,
                    isQuiet: quietEnd(for: underWay.occurrence, .deliverQuietly) != nil
                )
            )
        )
    }

    /// Clears the delivery that is in flight or waiting.
    private mutating func clearUnderWay(_ id: String) {
        guard var state = notices[id], state.underWay != nil else { return }
        state.underWay = nil
        setNotice(state)
    }

    /// Returns a new delivery identifier. Revision and number are unique in one store, whatever the clock does; the
    /// time distinguishes stores. It is short, because a String stores up to 15 bytes inline.
    static func deliveryID(revision: Int64, fired: Int, at now: TriggerInstant) -> String {
        // Three times `String(_:radix:)` would be a tenth of a firing.
        String(unsafeUninitializedCapacity: 41) { text in
            var count = 0
            func append(_ number: UInt64) {
                if number >= 36 { append(number / 36) }
                let digit = UInt8(number % 36)
                text[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                count += 1
            }
            func appendDash() {
                text[count] = UInt8(ascii: "-")
                count += 1
            }
            append(revision.magnitude)
            appendDash()
            append(UInt64(fired.magnitude))
            appendDash()
            append((now.wall / 1_000).magnitude)
            return count
        }
    }

    /// Returns false for a delivery that was canceled or replaced before the backend had it.
    func isWanted(_ reference: DeliveryReference) -> Bool {
        notices.value(of: reference.requestID) { state in
            state.isUnderWay(reference.deliveryID) && state.underWay?.isCancelled == false
        } ?? false
    }

    /// Whether a delivery must not begin because an earlier outcome is not stored yet. One that a caller waits for has
    /// no other attempt.
    func mustWaitForStore(_ reference: DeliveryReference) -> Bool {
        guard log.hasUnsavedFacts else { return false }
        return notices.value(of: reference.requestID) { $0.underWay?.occurrence.isAwaited == false } ?? false
    }

    /// What a delivery takes the place of if it is made now.
    func replaced(by order: DeliveryOrder) -> DeliveryReceipt? {
        notices.value(of: order.record.requestID) { $0.delivered?.receipt } ?? nil
    }

    /// Returns false if the server has since assigned the handle to a newer notice, which must stay.
    func isWithdrawn(_ receipt: DeliveryReceipt) -> Bool { notices.idsByReceipt[receipt.key] == nil }

    /// Retries a delivery that waits. The change that justifies it is stored already.
    mutating func retry(_ id: String) {
        guard let state = notices[id], var underWay = state.underWay, underWay.retryAt != nil else { return }
        // Not attempted yet: it came while nothing could be stored for it, or it waited for the end of quiet hours.
        let isNew = underWay.attempt == 1 && !underWay.isPossiblyRepeated && mayCoalesce(underWay.occurrence)
        if isNew, log.current.isFact { return }
        // Checked before it began to wait, but a suspend or a restart may have come in between.
        if var detail = underWay.record.traits.misfire.refusal(ofLate: lateness(of: underWay.record)) {
            if underWay.isPossiblyRepeated { detail += "; possibly shown: an earlier attempt was never confirmed" }
            return end(state, underWay, .missed, detail: detail, error: NoticeError(.rejected, "'\(id)' is \(detail)."))
        }
        underWay.phase = .inFlight
        if collapseSeries(with: underWay.occurrence) { return clearUnderWay(id) }
        if let end = quietEnd(for: underWay.occurrence) {
            underWay.occurrence.record.wasBegun = true
            `defer`(&underWay, until: end, isNews: true)
        } else if isNew, coalesce(underWay.occurrence) {
            return clearUnderWay(id)
        }
        proceed(underWay, state)
    }

    // MARK: Outcomes

    mutating func delivered(_ reference: DeliveryReference, _ receipt: DeliveryReceipt, reportsDismissal: Bool) {
        let holder = notices.idsByReceipt[receipt.key]
        guard var state = notices[reference.requestID], state.isUnderWay(reference.deliveryID),
            let underWay = state.underWay.take()
        else {
            // Nobody waits for it any more. A handle that belongs to a delivered notice was assigned twice: that notice
            // stays.
            if holder == nil { emit(.withdraw(receipt)) }
            return
        }
        // The old notice is gone, although its closing was not reported.
        if let holder, holder != state.id { close(holder, detail: "the server gave its number to another notice") }
        log.current.reserveCapacity(records: 3, effects: 1)
        let replaced = state.delivered
        if underWay.isCancelled {
            if let replaced, replaced.receipt.key == receipt.key {
                state.delivered = nil
                store(.removeDelivery(id: replaced.deliveryID))
            }
            setNotice(state)
            emit(.withdraw(receipt))
            emit(.release(reference))
        } else {
            if let replaced {
                store(.removeDelivery(id: replaced.deliveryID))
                // The server did not replace it by itself.
                if replaced.receipt.key != receipt.key { emit(.withdraw(replaced.receipt)) }
            }
            let new = NoticeState.Delivered(
                underWay.record,
                shownAt: now,
                receipt,
                reportsDismissal: reportsDismissal
            )
            state.delivered = new
            setNotice(state)
            store(.putDelivery(new.record))
            record(
                new.record.subject,
                .delivered,
                late: lateness(of: new.record),
                detail: detail(of: underWay, receipt),
                backend: receipt.backend
            )
            if underWay.occurrence.isAwaited { emit(.conclude(reference, .success(new))) }
            closeOldest()
        }
        if let queued = underWay.queued { begin(queued, state) }
    }

    /// The number of delivered notices that are kept: some servers never report that a notice was closed.
    static let deliveredLimit = 5_000

    /// Closes the oldest notices beyond the limit: two at most, so that a long list of an earlier version shrinks.
    private mutating func closeOldest() {
        for _ in 0..<2 where notices.deliveredCount > Self.deliveredLimit {
            guard let oldest = notices.oldestDelivered else { return }
            close(oldest, detail: "\(Self.deliveredLimit) notices were shown since")
        }
    }

    /// Returns the history detail of a showing: whether it may be a repetition, was deferred, was snoozed before, or
    /// lost features.
    private func detail(of underWay: NoticeState.UnderWay, _ receipt: DeliveryReceipt) -> String? {
        let record = underWay.record
        var parts: [String] = []
        if underWay.isPossiblyRepeated { parts.append("possibly repeated: an earlier attempt was never confirmed") }
        if let crossing = record.crossing { parts.append(crossing.detail) }
        if record.releasedAt != nil {
            parts.append("waited for the end of quiet hours since \(record.dueAt.date.formatted(.iso8601))")
        }
        if record.snoozes > 0 { parts.append("snoozed \(record.snoozes == 1 ? "once" : "\(record.snoozes) times")") }
        if !receipt.lost.isEmpty {
            parts.append("lost " + receipt.lost.map(\.description).joined(separator: "; "))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    mutating func deliveryFailed(_ reference: DeliveryReference, _ error: NoticeError) {
        guard var state = notices[reference.requestID], state.isUnderWay(reference.deliveryID),
            var underWay = state.underWay, !underWay.isWaiting
        else { return }
        let isFinal = !error.isTransient || underWay.occurrence.isAwaited || underWay.isCancelled
        if !isFinal, let queued = underWay.queued {
            supersede(underWay.occurrence)
            return begin(queued, state)
        }
        let late = lateness(of: underWay.record)
        let delay = Self.retryDelay(afterAttempt: underWay.attempt)
        guard !isFinal, underWay.record.traits.misfire.refusal(ofLate: late + delay) == nil else {
            return end(state, underWay, .failed, detail: error.description, errorCode: error.code, error: error)
        }
        if underWay.attempt == 1 {
            let status = NoticeStatus.inFlight(nextAttempt: date(ofBoot: now.boot + delay), reason: error.description)
            record(
                underWay.record.subject,
                .retrying,
                state: status,
                late: late,
                detail: error.description,
                errorCode: error.code
            )
        }
        underWay.attempt += 1
        underWay.phase = .retry(at: now.boot + delay)
        underWay.failure = error.description
        // It may be on the screen although no receipt came.
        if error.code == .serverTimedOut || error.code == .backendStopped { underWay.isPossiblyRepeated = true }
        state.underWay = underWay
        setNotice(state)
    }

    mutating func suppressed(_ reference: DeliveryReference, reason: String) {
        guard let state = notices[reference.requestID], state.isUnderWay(reference.deliveryID),
            let underWay = state.underWay
        else { return }
        let error = NoticeError(.rejected, "The notice '\(reference.requestID)' was suppressed: \(reason).")
        end(state, underWay, .suppressed, detail: reason, error: error)
    }

    /// Gives a due notice that is never displayed to the app, without disturbing the user. The response is kept until
    /// the app has acknowledged it.
    mutating func givenToApp(_ reference: DeliveryReference, _ response: NoticeResponse) {
        let isWanted = isWanted(reference)
        suppressed(reference, reason: "not displayed: given to the app")
        guard isWanted else { return }
        store(.putResponse(response))
        emit(.publish(response))
    }

    /// Ends a delivery that will not be shown. A canceled one has its outcome already.
    ///
    /// - Parameters:
    ///   - errorCode: The code for the history; nil if nothing failed.
    ///   - error: The error for a caller that waits for the outcome.
    private mutating func end(
        _ state: NoticeState,
        _ underWay: NoticeState.UnderWay,
        _ outcome: HistoryEntry.Outcome,
        detail: String,
        errorCode: NoticeError.Code? = nil,
        error: NoticeError
    ) {
        var state = state
        state.underWay = nil
        setNotice(state)
        let delivery = underWay.record
        forgetArrival(delivery)
        if underWay.isCancelled {
            emit(.release(delivery.reference))
        } else {
            store(.removeDelivery(id: delivery.id))
            record(delivery.subject, outcome, late: lateness(of: delivery), detail: detail, errorCode: errorCode)
            if underWay.occurrence.isAwaited { emit(.conclude(delivery.reference, .failure(error))) }
        }
        if let queued = underWay.queued { begin(queued, state) }
    }

    /// Reports to a waiting caller why its delivery will not be shown.
    mutating func conclude(_ occurrence: NoticeState.Occurrence, _ fate: String) {
        guard occurrence.isAwaited else { return }
        let error = NoticeError(.rejected, "The notice '\(occurrence.record.requestID)' \(fate).")
        emit(.conclude(occurrence.record.reference, .failure(error)))
    }

    func lateness(of delivery: DeliveryRecord) -> Int64 { now.boot - delivery.lateFrom.boot }

    /// Microseconds from one attempt to the next: 1 s, doubled each time, at most 5 minutes.
    static func retryDelay(afterAttempt attempt: Int) -> Int64 {
        min(300, 1 << Int64(min(max(0, attempt - 1), 20))) * 1_000_000
    }
}

extension MisfirePolicy {
    /// Returns why a notice that is `late` microseconds late is not shown; nil if it is shown.
    func refusal(ofLate late: Int64) -> String? {
        guard let window, late > window.microseconds else { return nil }
        return "later than its misfire policy allows (\(window.seconds) s)"
    }
}
