import FoundationEssentials

// Responses of the user, and notices that leave the screen.
extension Schedule {
    /// Handles a response to a notice on the screen.
    mutating func received(_ response: NoticeResponse) {
        guard var state = notices[response.requestID], var delivered = state.delivered,
            delivered.deliveryID == response.deliveryID
        else { return }
        if let choice = response.snoozeChoice { return snooze(delivered, choice, response) }
        keep(response, about: delivered.record)
        forgetArrival(delivered.record)
        // A server may report one click twice, or keep the notice open. Only resident notices have several responses:
        // any other is no longer on the screen at the second one.
        if delivered.traits.isResident {
            delivered.hasResponse = true
            state.delivered = delivered
            setNotice(state)
        } else if clearDelivered(response.requestID) != nil {
            emit(.withdraw(delivered.receipt))
        }
        endWhatResponsesEnd(delivered)
    }

    /// Handles that a notice left the screen. A dismissal is reported as `response`, if there is one.
    mutating func closed(_ key: ReceiptKey, _ reason: NoticeResponse.CloseReason, response: NoticeResponse?) {
        guard let id = notices.idsByReceipt[key],
            let delivered = close(id, detail: ClosingDetail.closed(reason).description),
            reason.kind == .dismissed, !delivered.hasResponse
        else { return }
        forgetArrival(delivered.record)
        if delivered.traits.reportsDismissal, let response { keep(response, about: delivered.record) }
        if delivered.traits.dismissalEnds { endWhatResponsesEnd(delivered, byDismissal: true) }
    }

    /// Stores a response for the app's handler.
    mutating func keep(_ response: NoticeResponse, about delivery: DeliveryRecord) {
        store(.putResponse(response))
        var detail = response.actionID ?? "dismissed"
        if let until = response.snoozedUntil { detail += ": snoozed until \(until.formatted(.iso8601))" }
        record(delivery.subject, .responded, state: response.snoozedUntil.map { .snoozed(until: $0) }, detail: detail)
        emit(.publish(response))
    }

    private mutating func endWhatResponsesEnd(_ responded: NoticeState.Delivered, byDismissal: Bool = false) {
        let id = responded.record.requestID
        if let mark = responded.record.summary { return endMembers(of: mark, of: id, byDismissal: byDismissal) }
        if responded.traits.endsWhenAnswered {
            // The identifier may have a newer request since, which the user has not seen yet: that one stays.
            removeOne(id, revision: responded.record.requestRevision, detail: "the user responded")
        }
        if let base = responded.traits.series { endSeries(base, except: id) }
    }

    // MARK: Leaving the screen

    /// Clears a notice that has left the screen. Returns it, if there was one.
    mutating func clearDelivered(_ id: String) -> NoticeState.Delivered? {
        guard var state = notices[id], let delivered = state.delivered else { return nil }
        state.delivered = nil
        setNotice(state)
        store(.removeDelivery(id: delivered.deliveryID))
        return delivered
    }

    /// Like `clearDelivered(_:)`, and records the reason in the history.
    @discardableResult
    mutating func close(_ id: String, detail: String) -> NoticeState.Delivered? {
        guard let delivered = clearDelivered(id) else { return nil }
        record(delivered.record.subject, .closed, detail: detail, backend: delivered.receipt.backend)
        return delivered
    }

    /// Removes a notice from the screen.
    mutating func withdraw(_ id: String, detail: String) {
        guard let delivered = close(id, detail: detail) else { return }
        forgetArrival(delivered.record)
        emit(.withdraw(delivered.receipt))
    }

    // MARK: Servers

    /// Handles the end of a server: its notices are gone, and its handles are invalid.
    mutating func serverGone(backend: String, server: String?) {
        closeAll(.serverGone, backend: backend) { server == nil || $0 == nil || $0 == server }
    }

    /// Handles a new server: retries waiting deliveries at once. Notices of an earlier run of the server are gone.
    mutating func serverCame(backend: String, server: String?) {
        if let server { closeAll(.serverRestarted, backend: backend) { $0 != nil && $0 != server } }
        for id in notices.ids.sorted() {
            guard var state = notices[id], state.underWay?.retryAt != nil else { continue }
            state.underWay?.phase = .retry(at: now.boot)
            setNotice(state)
        }
    }

    private mutating func closeAll(_ why: ClosingDetail, backend: String, where isGone: (String?) -> Bool) {
        for id in notices.ids.sorted() {
            guard let receipt = notices[id]?.delivered?.receipt, receipt.backend == backend, isGone(receipt.server)
            else { continue }
            close(id, detail: why.description)
        }
    }
}
