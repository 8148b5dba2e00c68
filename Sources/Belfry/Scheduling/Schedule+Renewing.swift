extension Schedule {
    /// Replaces the trigger of a pending request by one that goes on with its dates. The request keeps its progress and
    /// its notices; a response to one still ends it. Nothing happens if the request has been removed or replaced since
    /// it had this revision.
    mutating func renew(_ request: NoticeRequest, revision: Int64) {
        guard let old = entries[request.id], old.revision == revision else { return }
        var new = ScheduleEntry(
            request,
            revision: entries.takeRevision(),
            progress: old.progress,
            sharing: &entries.rules
        )
        guard case .wallClock(let source, _) = new.timing else { return }
        // A date that has passed and has not fired stays due.
        new.deadline = source.next(after: floor(of: old, source), in: context)
        guard new.deadline != nil else { return }
        store(.removeRequest(revision: old.revision))
        setEntry(new)
        store(.putRequest(request, revision: new.revision, new.progress))
        guard var state = notices[request.id] else { return }
        let changed = state.replace(revision: old.revision, by: new.revision)
        guard !changed.isEmpty else { return }
        setNotice(state)
        for record in changed { store(.putDelivery(record)) }
    }
}
