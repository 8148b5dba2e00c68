extension Schedule {
    /// Takes requests out: they deliver nothing afterwards. What is on the screen stays.
    mutating func remove(_ ids: [String], outcome: LedgerEntry.Outcome, detail: String?, ticket: Ticket?) {
        var waits = false
        for id in ids {
            // The base of a series stands for its elements.
            for member in membersOfSeries(id) where member != id {
                removePending(member, outcome, detail)
                waits = cancelDelivery(member, outcome, detail, ticket) || waits
            }
            removePending(id, outcome, detail)
            waits = cancelDelivery(id, outcome, detail, ticket) || waits
        }
        if let ticket, !waits { answer(ticket, .done) }
    }

    /// Elements that are pending, on their way or on the screen, in a stable order. O(pending elements + notices).
    private func membersOfSeries(_ base: String) -> [String] {
        guard seriesMembers[base] != nil || entries[base] == nil else { return [] }
        let notified = notices.ids.filter { id in
            notices[id]?.standing?.traits.series == base || notices[id]?.coming?.occurrence.traits.series == base
        }
        return (seriesMembers[base] ?? []).union(notified).sorted()
    }

    mutating func removeAll(ticket: Ticket) {
        let all = Set(entries.ids).union(notices.ids)
        remove(all.sorted(), outcome: .removed, detail: nil, ticket: ticket)
    }

    private mutating func removePending(_ id: String, _ outcome: LedgerEntry.Outcome, _ detail: String?) {
        guard let entry = entries[id] else { return }
        setEntry(id, nil)
        batch.changes.append(.removeRequest(revision: entry.revision))
        record(id, outcome, detail: detail)
    }

    /// Calls off a delivery that is not on the screen yet. True where the backend has it in hand, so that the ticket is
    /// answered when that is over.
    private mutating func cancelDelivery(
        _ id: String, _ outcome: LedgerEntry.Outcome, _ detail: String?, _ ticket: Ticket?
    ) -> Bool {
        guard var state = notices[id], var coming = state.coming else { return false }
        if let ticket = coming.occurrence.ticket {
            let error = NoticeError(.rejected, "The notice '\(id)' was removed before it could be shown.")
            batch.then.append(.answer(ticket, .failure(error)))
            coming.occurrence.ticket = nil
        }
        coming.queued = nil
        if coming.cancelledBy == nil { record(id, outcome, detail: detail) }
        guard coming.retryAt == nil else {
            state.coming = nil
            setNotice(id, state)
            batch.changes.append(.removeDelivery(id: coming.deliveryID))
            return false
        }
        coming.cancelledBy = (coming.cancelledBy ?? []) + (ticket.map { [$0] } ?? [])
        state.coming = coming
        setNotice(id, state)
        if let ticket { batch.tickets.append(ticket) }
        return ticket != nil
    }

    /// Ends a series: its pending elements are removed, those on the screen withdrawn.
    mutating func endSeries(
        _ base: String, outcome: LedgerEntry.Outcome, except answered: String?, ticket: Ticket?
    ) {
        let members = membersOfSeries(base)
        for id in members where id != answered { withdrawStanding(id, detail: "its series ended") }
        remove(members, outcome: outcome, detail: "its series '\(base)' ended", ticket: ticket)
    }

    mutating func removeDelivered(_ ids: [String]?, ticket: Ticket) {
        for id in (ids ?? Array(notices.ids)).sorted() { withdrawStanding(id, detail: "taken down by the app") }
        answer(ticket, .done)
    }

    mutating func withdrawStanding(_ id: String, detail: String) {
        guard var state = notices[id], let standing = state.standing else { return }
        state.standing = nil
        setNotice(id, state)
        batch.changes.append(.removeDelivery(id: standing.deliveryID))
        record(id, .closed, detail: detail, backend: standing.receipt.backend)
        batch.then.append(.withdraw(standing.receipt))
    }
}
