import FoundationEssentials

extension Schedule {
    /// A due time is to be shown: now, or after the delivery of the same identifier that is under way.
    @discardableResult
    mutating func bring(
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
        let state = notices.slot(of: entry.id, hash: entry.idHash).flatMap { notices[$0] } ?? NoticeState(of: entry)
        bring(NoticeState.Occurrence(record: record, isAwaited: isAwaited), state)
        return record.reference
    }

    /// The occurrence is in the store already, or in the transaction at hand.
    mutating func bring(_ occurrence: NoticeState.Occurrence, _ state: NoticeState) {
        guard var coming = state.coming else { return start(occurrence, state) }
        guard !coming.isWaiting else {
            superseded(state.id, coming.occurrence)
            return start(occurrence, state, wasHeld: coming.heldUntil != nil)
        }
        if let passed = coming.queued { superseded(state.id, passed) }
        coming.queued = occurrence
        var state = state
        state.coming = coming
        setNotice(state)
    }

    mutating func superseded(_ id: String, _ occurrence: NoticeState.Occurrence) {
        record(
            id,
            .missed,
            thread: occurrence.traits.thread,
            late: now.boot - occurrence.lateFrom.boot,
            detail: "a later firing took its place"
        )
        store(.removeDelivery(id: occurrence.deliveryID))
        conclude(occurrence, NoticeError(.rejected, "The notice '\(id)' was replaced before it could be shown."))
    }

    /// - Parameter wasHeld: an earlier firing waited already, which the history says.
    private mutating func start(_ occurrence: NoticeState.Occurrence, _ state: NoticeState, wasHeld: Bool = false) {
        var state = state
        var coming = NoticeState.Coming(occurrence: occurrence)
        if let end = quietEnd(for: occurrence) {
            hold(&coming, until: end, tells: !wasHeld)
            state.coming = coming
            return setNotice(state)
        }
        if mayGather(occurrence) {
            guard !log.current.isFact else {
                // A summary is a delivery of its own, which must be stored before it is made: at the next wake.
                coming.retryAt = now.boot
                state.coming = coming
                return setNotice(state)
            }
            // The firing that it took the place of has its outcome.
            if gather(occurrence) { return dropComing(state.id) }
        }
        state.coming = coming
        setNotice(state)
        emit(.deliver(order(coming)))
    }

    /// Nothing of the request is on its way any more.
    private mutating func dropComing(_ id: String) {
        guard var state = notices[id], state.coming != nil else { return }
        state.coming = nil
        setNotice(state)
    }

    /// Revision and number are unique in one store, whatever the clock does; the time tells stores apart. Short, because
    /// a String holds 15 bytes in itself.
    static func deliveryID(revision: Int64, fired: Int, at now: TriggerInstant) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { bytes in
            var end = 0
            func append(_ value: Int64) {
                if end > 0 { put(UInt8(ascii: "-")) }
                if value < 0 { put(UInt8(ascii: "~")) }
                let begin = end
                var rest = value.magnitude
                repeat {
                    let digit = UInt8(truncatingIfNeeded: rest % 36)
                    put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                    rest /= 36
                } while rest > 0
                bytes[begin..<end].reverse()
            }
            func put(_ byte: UInt8) {
                bytes[end] = byte
                end += 1
            }
            append(revision)
            append(Int64(fired))
            append(now.wall / 1_000)
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
    }

    private mutating func order(_ coming: NoticeState.Coming) -> DeliveryOrder {
        DeliveryOrder(
            record: coming.occurrence.record,
            isPossiblyRepeated: coming.isPossiblyRepeated,
            isQuiet: mustBeQuiet(coming.occurrence)
        )
    }

    /// False for a delivery that was called off, or whose place was taken, before the backend had it.
    func isWanted(_ reference: DeliveryReference) -> Bool {
        guard let coming = notices[reference.requestID]?.coming else { return false }
        return coming.deliveryID == reference.deliveryID && !coming.isCancelled
    }

    /// What a delivery takes the place of if it is made now.
    func replaced(by order: DeliveryOrder) -> DeliveryReceipt? { notices[order.record.requestID]?.standing?.receipt }

    /// False where the server has given the handle to a newer notice since: that one is to stay.
    func isWithdrawn(_ receipt: DeliveryReceipt) -> Bool { notices.idsByReceipt[receipt.key] == nil }

    /// Tries a failed delivery again; what justifies it is in the store already.
    mutating func retry(_ id: String) {
        guard var state = notices[id], var coming = state.coming, coming.retryAt != nil else { return }
        // Never tried: it came while nothing could be stored for it, or has waited for the end of quiet hours.
        let isNew = coming.attempt == 1 && !coming.isPossiblyRepeated && mayGather(coming.occurrence)
        if isNew, log.current.isFact { return }
        let late = now.boot - coming.occurrence.lateFrom.boot
        if let window = coming.occurrence.traits.misfire.window, late > window.microseconds {
            // Looked at when it was put off; a suspend or a restart may have come in between.
            let detail = "later than its misfire policy allows (\(window.seconds) s)"
            return end(
                id,
                state,
                coming,
                .missed,
                detail: detail,
                error: NoticeError(.rejected, "'\(id)' is \(detail).")
            )
        }
        coming.retryAt = nil
        if let end = quietEnd(for: coming.occurrence) {
            coming.occurrence.record.wasBegun = true
            hold(&coming, until: end, tells: true)
            state.coming = coming
            return setNotice(state)
        }
        if isNew, gather(coming.occurrence) { return dropComing(id) }
        state.coming = coming
        setNotice(state)
        emit(.deliver(order(coming)))
    }

    mutating func delivered(_ reference: DeliveryReference, _ receipt: DeliveryReceipt, reportsDismissal: Bool) {
        let id = reference.requestID
        guard var state = notices[id], let coming = state.coming, coming.deliveryID == reference.deliveryID else {
            // Nobody waits for it any more. A handle under which a notice stands was given twice: that one stays.
            if notices.idsByReceipt[receipt.key] == nil { emit(.withdraw(receipt)) }
            return
        }
        if let other = notices.idsByReceipt[receipt.key], other != id { handleWasReused(other) }
        state.coming = nil
        let replaced = state.standing
        if coming.isCancelled {
            if let replaced, replaced.receipt.key == receipt.key {
                state.standing = nil
                store(.removeDelivery(id: replaced.deliveryID))
            }
            setNotice(state)
            emit(.withdraw(receipt))
            emit(.release(reference))
            if let queued = coming.queued { start(queued, state) }
            return
        }
        if let replaced { takeDown(replaced, unless: receipt) }
        let standing = NoticeState.Standing(
            coming.occurrence.record,
            shownAt: now,
            receipt,
            reportsDismissal: reportsDismissal
        )
        state.standing = standing
        setNotice(state)
        store(.putDelivery(standing.record))
        record(
            id,
            .delivered,
            thread: standing.traits.thread,
            late: now.boot - coming.occurrence.lateFrom.boot,
            detail: detail(of: coming, receipt),
            backend: receipt.backend
        )
        if coming.occurrence.isAwaited { emit(.conclude(reference, .success(standing))) }
        if let queued = coming.queued { start(queued, state) }
    }

    /// What there is to say of a showing: that it may be the second one, that it had waited, that it was put off before, what
    /// was lost.
    private func detail(of coming: NoticeState.Coming, _ receipt: DeliveryReceipt) -> String? {
        let record = coming.occurrence.record
        var parts: [String] = []
        if coming.isPossiblyRepeated { parts.append("possibly repeated: an earlier attempt was never confirmed") }
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

    /// A notice whose place was taken: withdrawn where the server did not replace it by itself.
    private mutating func takeDown(_ old: NoticeState.Standing, unless receipt: DeliveryReceipt) {
        store(.removeDelivery(id: old.deliveryID))
        if old.receipt.key != receipt.key { emit(.withdraw(old.receipt)) }
    }

    /// A server gave the handle of a notice to another one: the first is gone, though nobody said so.
    private mutating func handleWasReused(_ id: String) {
        guard var state = notices[id], let standing = state.standing else { return }
        state.standing = nil
        setNotice(state)
        store(.removeDelivery(id: standing.deliveryID))
        record(
            id,
            .closed,
            thread: standing.traits.thread,
            detail: "the server gave its number to another notice",
            backend: standing.receipt.backend
        )
    }

    mutating func deliveryFailed(_ reference: DeliveryReference, _ error: NoticeError) {
        let id = reference.requestID
        guard var state = notices[id], var coming = state.coming, coming.deliveryID == reference.deliveryID,
            !coming.isWaiting
        else { return }
        let late = now.boot - coming.occurrence.lateFrom.boot
        guard error.isTransient, !coming.occurrence.isAwaited, !coming.isCancelled else {
            return end(id, state, coming, .failed, detail: error.description, error: error)
        }
        if let queued = coming.queued {
            superseded(id, coming.occurrence)
            return start(queued, state)
        }
        let delay = Self.retryDelay(afterAttempt: coming.attempt)
        guard coming.occurrence.traits.misfire.window.map({ late + delay <= $0.microseconds }) ?? true else {
            return end(id, state, coming, .failed, detail: error.description, error: error)
        }
        if coming.attempt == 1 {
            record(
                id,
                .retrying,
                thread: coming.occurrence.traits.thread,
                state: .inFlight(nextAttempt: date(ofBoot: now.boot + delay), reason: error.description),
                late: late,
                detail: error.description
            )
        }
        coming.attempt += 1
        coming.retryAt = now.boot + delay
        coming.failure = error.description
        // It may stand on the screen, and nobody has said so.
        if error.code == .serverTimedOut || error.code == .backendStopped { coming.isPossiblyRepeated = true }
        state.coming = coming
        setNotice(state)
    }

    mutating func suppressed(_ reference: DeliveryReference, reason: String) {
        guard let state = notices[reference.requestID], let coming = state.coming,
            coming.deliveryID == reference.deliveryID
        else { return }
        let error = NoticeError(.rejected, "The notice '\(reference.requestID)' was suppressed: \(reason).")
        end(reference.requestID, state, coming, .suppressed, detail: reason, error: error)
    }

    /// A delivery that will not be shown. One that was called off has its outcome already.
    private mutating func end(
        _ id: String,
        _ state: NoticeState,
        _ coming: NoticeState.Coming,
        _ outcome: HistoryEntry.Outcome,
        detail: String,
        error: NoticeError
    ) {
        var state = state
        state.coming = nil
        setNotice(state)
        if coming.isCancelled {
            emit(.release(coming.occurrence.record.reference))
        } else {
            store(.removeDelivery(id: coming.deliveryID))
            record(
                id,
                outcome,
                thread: coming.occurrence.traits.thread,
                late: now.boot - coming.occurrence.lateFrom.boot,
                detail: detail
            )
            conclude(coming.occurrence, error)
        }
        if let queued = coming.queued { start(queued, state) }
    }

    /// Whoever waits for the outcome of a delivery that will not be shown is told why.
    mutating func conclude(_ occurrence: NoticeState.Occurrence, _ error: NoticeError) {
        if occurrence.isAwaited { emit(.conclude(occurrence.record.reference, .failure(error))) }
    }

    /// Microseconds from one attempt to the next: 1 s, doubled each time, 5 minutes at most.
    static func retryDelay(afterAttempt attempt: Int) -> Int64 {
        min(300, 1 << Int64(min(max(0, attempt - 1), 20))) * 1_000_000
    }
}
