/// A removal whose caller waits until the backend is done with what was called off.
struct Cancellation: Sendable {
    /// How many deliveries the backend still has.
    var left = 0
    var report = RemovalReport()
}

extension Schedule {
    /// Takes requests out: they deliver nothing afterwards. What is on the screen stays.
    mutating func remove(_ ids: [String], outcome: LedgerEntry.Outcome, detail: String?, ticket: Ticket?) {
        var report = RemovalReport()
        for id in ids {
            let before = report.removed.count
            // The base of a series stands for its elements.
            for member in membersOfSeries(id) where member != id {
                take(out: member, outcome, detail, ticket, &report)
            }
            take(out: id, outcome, detail, ticket, &report)
            if report.removed.count == before { report.notFound.append(id) }
        }
        guard let ticket else { return }
        // An element may have been named together with its base.
        let removed = report.notFound.isEmpty ? [] : Set(report.removed.map(\.id))
        report.notFound.removeAll(where: removed.contains)
        finish(report, ticket)
    }

    private mutating func take(
        out id: String,
        _ outcome: LedgerEntry.Outcome,
        _ detail: String?,
        _ ticket: Ticket?,
        _ report: inout RemovalReport
    ) {
        let states = states(of: id)
        if !states.isEmpty { report.removed.append(.init(id: id, states: states)) }
        removePending(id, outcome, detail)
        cancelDelivery(id, outcome, detail, ticket)
    }

    /// Answers the caller of a removal, at once or when the backend is done with what was called off.
    private mutating func finish(_ report: RemovalReport, _ ticket: Ticket) {
        if cancelling[ticket] == nil { answer(ticket, .removed(report)) } else { cancelling[ticket]?.report = report }
    }

    private mutating func remove(all ids: [String], of base: String?, detail: String?, ticket: Ticket?) {
        var report = RemovalReport()
        for id in ids { take(out: id, .removed, detail, ticket, &report) }
        if let base, report.removed.isEmpty { report.notFound = [base] }
        if let ticket { finish(report, ticket) }
    }

    /// Elements that are pending, on their way or on the screen, in a stable order. O(elements).
    func membersOfSeries(_ base: String) -> [String] {
        let (pending, notified) = (entries.members[base], notices.members[base])
        guard pending != nil || notified != nil else { return [] }
        return (pending ?? []).union(notified ?? []).sorted()
    }

    mutating func removeAll(ticket: Ticket) {
        let all = Set(entries.ids).union(notices.ids)
        remove(all: all.sorted(), of: nil, detail: nil, ticket: ticket)
    }

    /// Takes out one request if it is still the one of that revision, and the delivery of it that is under way.
    mutating func removeOne(_ id: String, revision: Int64, outcome: LedgerEntry.Outcome, detail: String) {
        if entries[id]?.revision == revision { removePending(id, outcome, detail) }
        if notices[id]?.snoozed?.revision == revision { cancelSnooze(id, outcome, detail) }
        guard let coming = notices[id]?.coming, coming.occurrence.revision == revision else { return }
        let keepsQueued = coming.queued.map { $0.revision != revision } ?? false
        cancelDelivery(id, outcome, detail, nil, keepsQueued: keepsQueued)
    }

    private mutating func removePending(_ id: String, _ outcome: LedgerEntry.Outcome, _ detail: String?) {
        guard let old = removeEntry(id) else { return }
        batch.changes.append(.removeRequest(revision: old.revision))
        record(id, outcome, thread: old.traits.thread, detail: detail)
    }

    /// Calls off what is not on the screen: a delivery, and what was put off. Where the backend has it in hand the ticket is
    /// answered when that is over.
    mutating func cancelDelivery(
        _ id: String,
        _ outcome: LedgerEntry.Outcome,
        _ detail: String?,
        _ ticket: Ticket?,
        keepsQueued: Bool = false
    ) {
        if !keepsQueued { cancelSnooze(id, outcome, detail) }
        guard var state = notices[id], var coming = state.coming else { return }
        if coming.cancelledBy == nil {
            callOff(id, coming.occurrence, outcome, detail)
            coming.occurrence.ticket = nil
        }
        if let queued = coming.queued, !keepsQueued {
            callOff(id, queued, outcome, detail)
            coming.queued = nil
        }
        guard !coming.isWaiting else {
            state.coming = nil
            return setNotice(state)
        }
        coming.cancelledBy = (coming.cancelledBy ?? []) + (ticket.map { [$0] } ?? [])
        state.coming = coming
        setNotice(state)
        guard let ticket else { return }
        cancelling[ticket, default: Cancellation()].left += 1
        if !batch.tickets.contains(ticket) { batch.tickets.append(ticket) }
    }

    private mutating func callOff(
        _ id: String,
        _ occurrence: NoticeState.Occurrence,
        _ outcome: LedgerEntry.Outcome,
        _ detail: String?
    ) {
        record(id, outcome, thread: occurrence.traits.thread, detail: detail)
        // Nobody has seen it, and nobody will.
        if notices[id]?.standing == nil { forgetArrival(occurrence.record) }
        // At once, not when the backend is done with it: after a crash in between it must not come back.
        batch.changes.append(.removeDelivery(id: occurrence.deliveryID))
        guard let ticket = occurrence.ticket else { return }
        let error = NoticeError(.rejected, "The notice '\(id)' was removed before it could be shown.")
        batch.then.append(.answer(ticket, .failure(error)))
    }

    /// Ends a series: its pending elements are removed, those on the screen withdrawn.
    mutating func endSeries(_ base: String, except answered: String?, ticket: Ticket?) {
        let members = membersOfSeries(base)
        for id in members where id != answered { withdrawStanding(id, detail: "its series ended") }
        remove(all: members, of: base, detail: "its series '\(base)' ended", ticket: ticket)
        if !notices.summaryIDs.isEmpty { endSummaries(ofSeries: base, except: answered) }
    }

    /// Takes out what is pending of a series, and what is on its way to the screen; what is there stays.
    mutating func removeSeries(_ base: String, ticket: Ticket) {
        remove(all: membersOfSeries(base), of: base, detail: "its series '\(base)' was removed", ticket: ticket)
    }

    mutating func removeDelivered(_ ids: [String]?, ticket: Ticket) {
        for id in (ids ?? Array(notices.ids)).sorted() { withdrawStanding(id, detail: "taken down by the app") }
        answer(ticket, .done)
    }

    mutating func withdrawStanding(_ id: String, detail: String) {
        guard var state = notices[id], let standing = state.standing else { return }
        state.standing = nil
        setNotice(state)
        forgetArrival(standing.record)
        batch.changes.append(.removeDelivery(id: standing.deliveryID))
        record(id, .closed, thread: standing.traits.thread, detail: detail, backend: standing.receipt.backend)
        batch.then.append(.withdraw(standing.receipt))
    }
}
