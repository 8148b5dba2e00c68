extension EmbeddedEngine {
    func renew(
        _ id: String,
        _ renewed: @Sendable (any NoticeTrigger) -> (any NoticeTrigger)?
    ) async throws(NoticeError) {
        try await open()
        guard let revision = schedule.entries[id]?.revision,
            var request = try await setup.store.requests(revisions: [revision])[revision],
            let trigger = request.trigger.flatMap(renewed)
        else { return }
        try trigger.validate()
        request.trigger = trigger
        let new = request
        try await changed { $0.renew(new, revision: revision) }
    }
}

extension NoticeCenter {
    /// Replaces the trigger of a pending request by one that goes on with its dates. The request keeps all else: its
    /// count of firings, its notices, a snooze, the history.
    ///
    /// - Parameter renewed: Returns the new trigger for the current one; nil leaves the request as it is.
    package func renew(
        _ id: String,
        _ renewed: @Sendable (any NoticeTrigger) -> (any NoticeTrigger)?
    ) async throws(NoticeError) {
        try await (engine as? EmbeddedEngine)?.renew(id, renewed)
    }
}
