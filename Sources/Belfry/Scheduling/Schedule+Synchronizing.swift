extension Schedule {
    /// Replaces an owner's requests with the wanted ones, as one change. Requests of other owners stay.
    ///
    /// - Parameter isTrial: nothing is changed; the report says what would be.
    mutating func synchronize(_ wanted: OwnedRequests, isTrial: Bool) throws(NoticeError)
        -> NoticeCenter.SynchronizationReport
    {
        var report = NoticeCenter.SynchronizationReport()
        let owner = RequestOwner.app(wanted.owner)
        let known = owners[owner]
        removeEntries(of: known, notIn: wanted, &report)
        let series = Set(known.values.flatMap(\.series))
        var (kept, holders) = ([String: OwnedEntry](), [String: String]())
        for entry in wanted.entries {
            let old = known[entry.key]
            if let old, old.fingerprint == entry.fingerprint {
                kept[entry.key] = old
            } else {
                kept[entry.key] = try take(entry, of: owner, insteadOf: old, besides: holders, series: series, &report)
            }
            for id in kept[entry.key]?.requestIDs ?? [] {
                guard let holder = holders.updateValue(entry.name, forKey: id) else { continue }
                let message = "'\(holder)' and '\(entry.name)' of \(owner) both have the identifier '\(id)'"
                throw NoticeError(.identifierTaken, "\(message): give one of them another one.")
            }
        }
        leaveOutDropped(from: &kept, wanted, &report)
        report.unchanged = wanted.entries.filter { known[$0.key] != nil && known[$0.key] == kept[$0.key] }.map(\.name)
        if kept != owners[owner] { setOwner(owner, kept) }
        if isTrial { discardChanges() }
        return report
    }

    /// Disowns requests that were dropped by the pending limit if nothing of their entries is left. The next
    /// synchronization adds them again when there is room.
    mutating func noteDropped(_ victims: some Sequence<ScheduleEntry>) {
        let ids = Set(victims.map { $0.series ?? $0.id }).filter { !isPendingOrSeries($0) }
        log.current.dropped.formUnion(ids)
        let gone = ids.filter { id in
            let entry = owners.references[id].flatMap { owners[$0.owner][$0.key] }
            return entry.map { !$0.requestIDs.contains(where: isPendingOrSeries) } ?? false
        }
        disown(gone)
    }

    /// Does the same for entries that are not assigned to the owner yet.
    private func leaveOutDropped(
        from kept: inout [String: OwnedEntry],
        _ wanted: OwnedRequests,
        _ report: inout NoticeCenter.SynchronizationReport
    ) {
        guard !log.current.dropped.isEmpty else { return }
        for entry in wanted.entries {
            guard let ids = kept[entry.key]?.requestIDs, ids.contains(where: log.current.dropped.contains),
                !ids.contains(where: isPendingOrSeries)
            else { continue }
            kept[entry.key] = nil
            report.added.removeAll { $0 == entry.name }
            report.updated.removeAll { $0 == entry.name }
        }
    }

    /// Removes entries that are no longer wanted first, so that others may use their identifiers.
    private mutating func removeEntries(
        of known: [String: OwnedEntry],
        notIn wanted: OwnedRequests,
        _ report: inout NoticeCenter.SynchronizationReport
    ) {
        let keys = Set(wanted.entries.map(\.key))
        for (key, entry) in known.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
            if isPending(entry) { report.removed.append(entry.requestIDs.first ?? key) }
            removeOwned(entry.singles, series: entry.series, detail: "no longer in '\(wanted.owner)'")
        }
    }

    /// Adds or updates an entry. Returns the entry to keep; nil if it has no future date.
    ///
    /// - Parameters:
    ///   - holders: the identifiers of earlier entries, which may have been this one's before.
    ///   - series: the identifiers of the owner's series so far.
    private mutating func take(
        _ entry: OwnedRequests.Entry,
        of owner: RequestOwner,
        insteadOf old: OwnedEntry?,
        besides holders: [String: String],
        series: Set<String>,
        _ report: inout NoticeCenter.SynchronizationReport
    ) throws(NoticeError) -> OwnedEntry? {
        guard let requests = entry.requests else {
            throw NoticeError(.ownerChanged, "The requests of \(owner) were changed by somebody else: try again.")
        }
        var (ids, bases): ([String], [String]) = ([], [])
        for request in requests where ids.last != request.series ?? request.id {
            ids.append(request.series ?? request.id)
            if let base = request.series { bases.append(base) }
        }
        let taken = OwnedEntry(key: entry.key, fingerprint: entry.fingerprint, requestIDs: ids, seriesIDs: bases)
        for id in ids { try checkFree(id, for: owner) }
        // A single request is replaced in place. A series has new identifiers, whatever was called like it before.
        let replaced = Set(requests.map(\.id))
        let hadPending = old.map { isPending($0) } ?? false
        let detail = "its entry has changed"
        if let old {
            removeOwned(
                old.singles.filter { !replaced.contains($0) && holders[$0] == nil },
                series: old.series.filter { holders[$0] == nil },
                detail: detail
            )
        }
        // They may be of another entry, which has another identifier now.
        for id in ids where holders[id] == nil && series.contains(id) && owners.references[id] != nil {
            removeElements(of: id, detail)
        }
        var added = NoticeCenter.AddReport(added: [])
        var reason: NoticeError?
        let firstRecord = log.current.records.count
        let present = now.date
        let coming = requests.filter { request in
            request.series == nil || (request.trigger as? DateTrigger).map { $0.date > present } ?? true
        }
        for request in coming.isEmpty ? requests[...] : cutToRoom(coming, &added) {
            do throws(NoticeError) { try addOne(request, mayBePast: false, report: &added) } catch {
                guard error.code == .neverFires else { throw error }
                reason = error
            }
        }
        setKept(since: firstRecord, kept: added.added.count)
        for id in added.dropped { report.warnings.append("There was no room for '\(id)' under the pending limit.") }
        guard !added.added.isEmpty else {
            removeOwned(taken.singles, series: taken.series, detail: "its entry has no date to come")
            if hadPending { report.removed.append(entry.name) }
            let noRoom = added.dropped.isEmpty ? nil : "The pending limit of \(limit?.count ?? 0) has no room for it."
            let message = noRoom ?? reason?.message ?? entry.remark ?? "It asks for nothing."
            report.skipped.append(.init(entry: entry.name, message: message))
            return nil
        }
        if old == nil { report.added.append(entry.name) } else { report.updated.append(entry.name) }
        return taken
    }

    private func isPendingOrSeries(_ id: String) -> Bool { entries[id] != nil || entries.members[id] != nil }

    func checkFree(_ id: String, for owner: RequestOwner) throws(NoticeError) {
        if let holder = owners.references[id] {
            guard holder.owner != owner else { return }
            throw NoticeError(
                .identifierTaken,
                "The identifier '\(id)' belongs to \(holder.owner): give this entry another one, or synchronize it as "
                    + "that owner."
            )
        }
        guard isPendingOrSeries(id) else { return }
        throw NoticeError(
            .identifierTaken,
            "A request '\(id)' is pending that was added by itself: give this entry another identifier, or remove the "
                + "request."
        )
    }

    private func isPending(_ entry: OwnedEntry) -> Bool {
        entry.singles.contains { entries[$0] != nil } || entry.series.contains { entries.members[$0] != nil }
    }

    /// Disowns requests that were removed by hand: the next synchronization adds them again. Each owner is stored once,
    /// because its record has all of its entries.
    mutating func disown(_ ids: some Sequence<String>) {
        var left: [RequestOwner: [String: OwnedEntry]] = [:]
        for id in ids {
            guard let reference = owners.references[id] else { continue }
            left[reference.owner, default: owners[reference.owner]][reference.key] = nil
        }
        for (owner, entries) in left.sorted(by: { $0.key < $1.key }) { setOwner(owner, entries) }
    }

    mutating func disownAll() {
        for owner in owners.owners { setOwner(owner, [:]) }
    }

    mutating func setOwner(_ owner: RequestOwner, _ new: [String: OwnedEntry]) {
        let old = owners.set(owner, new)
        remember { $0.owners.set(owner, old) }
        store(.putOwner(owner.storedName, new.values.sorted { $0.key < $1.key }))
    }
}
