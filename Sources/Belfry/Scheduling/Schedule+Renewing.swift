extension Schedule {
    /// Replaces the trigger of a pending request by one that goes on with its dates. The request keeps its revision,
    /// and so all else. Nothing happens if it has been removed or replaced since it had this revision.
    mutating func renew(_ request: NoticeRequest, revision: Int64) {
        guard let old = entries[request.id], old.revision == revision else { return }
        var new = ScheduleEntry(request, revision: revision, progress: old.progress, sharing: &entries.rules)
        guard case .wallClock(let source, _) = new.timing else { return }
        // A date that has passed and has not fired stays due.
        new.deadline = source.next(after: floor(of: old, source), in: context)
        guard new.deadline != nil else { return }
        setEntry(new)
        store(.putRequest(request, revision: revision, new.progress))
    }
}
