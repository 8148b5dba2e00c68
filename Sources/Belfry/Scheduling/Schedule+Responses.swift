import FoundationEssentials

extension Schedule {
    /// The person did something about a notice on the screen.
    mutating func answered(_ response: NoticeResponse) {
        guard var state = notices[response.requestID], var standing = state.standing,
            standing.deliveryID == response.deliveryID
        else { return }
        // A server may report one click twice, or leave the notice up: only a resident one is answered again.
        guard !standing.isAnswered || standing.traits.isResident else { return }
        if let choice = response.snoozeChoice { return putOff(standing, choice, answer: response) }
        take(response, thread: standing.traits.thread)
        forgetArrival(standing.record)
        if standing.traits.isResident {
            standing.isAnswered = true
            state.standing = standing
            setNotice(state)
        } else {
            state.standing = nil
            setNotice(state)
            store(.removeDelivery(id: standing.deliveryID))
            emit(.withdraw(standing.receipt))
        }
        endWhatAnswersEnd(response.requestID, standing)
    }

    /// A notice left the screen. `response` is what a dismissal is reported as, where it is.
    mutating func closed(_ key: ReceiptKey, _ reason: NoticeResponse.CloseReason, response: NoticeResponse?) {
        guard let id = notices.idsByReceipt[key], var state = notices[id], let standing = state.standing else { return }
        state.standing = nil
        setNotice(state)
        store(.removeDelivery(id: standing.deliveryID))
        record(
            id,
            .closed,
            thread: standing.traits.thread,
            detail: ClosingDetail.closed(reason).description,
            backend: key.backend
        )
        guard reason.kind == .dismissed, !standing.isAnswered else { return }
        forgetArrival(standing.record)
        if standing.traits.reportsDismissal, let response {
            take(response, thread: standing.traits.thread)
        }
        if standing.traits.dismissalEnds { endWhatAnswersEnd(id, standing, byDismissal: true) }
    }

    mutating func take(_ response: NoticeResponse, thread: String?) {
        store(.putResponse(response))
        var detail = response.actionID ?? "dismissed"
        if let until = response.snoozedUntil { detail += ": snoozed until \(until.formatted(.iso8601))" }
        let state = response.snoozedUntil.map { NoticeStatus.snoozed(until: $0) }
        record(response.requestID, .answered, thread: thread, state: state, detail: detail)
        emit(.publish(response))
    }

    private mutating func endWhatAnswersEnd(
        _ id: String,
        _ answered: NoticeState.Standing,
        byDismissal: Bool = false
    ) {
        if let mark = answered.record.summary { return endMembers(of: mark, of: id, byDismissal: byDismissal) }
        if answered.traits.endsWhenAnswered {
            // Not a request that has taken the identifier since: nobody has seen that one yet.
            removeOne(id, revision: answered.revision, outcome: .removed, detail: "it was answered")
        }
        if let base = answered.traits.series { endSeries(base, except: id) }
    }

    /// All that a server showed is gone with it, and its numbers mean nothing any more.
    mutating func serverGone(backend: String, server: String?) {
        closeStanding(.serverGone, backend: backend) {
            server == nil || $0.receipt.server == nil || $0.receipt.server == server
        }
    }

    private mutating func closeStanding(
        _ why: ClosingDetail,
        backend: String,
        where isGone: (NoticeState.Standing) -> Bool
    ) {
        for id in notices.ids.sorted() {
            guard var state = notices[id], let standing = state.standing, standing.receipt.backend == backend,
                isGone(standing)
            else { continue }
            state.standing = nil
            setNotice(state)
            store(.removeDelivery(id: standing.deliveryID))
            record(id, .closed, thread: standing.traits.thread, detail: why.description, backend: backend)
        }
    }

    /// What waits for a server is tried at once; what an earlier run of the server showed is gone.
    mutating func serverCame(backend: String, server: String?) {
        if let server {
            closeStanding(.serverRestarted, backend: backend) {
                $0.receipt.server.map { $0 != server } ?? false
            }
        }
        for id in notices.ids.sorted() {
            guard var state = notices[id], var coming = state.coming, coming.retryAt != nil else { continue }
            coming.retryAt = now.boot
            state.coming = coming
            setNotice(state)
        }
    }
}
