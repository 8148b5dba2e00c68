import Belfry

/// Waits in this process until no request is pending and no notice on the screen waits for a response.
struct PendingWait: Sendable {
    let center: NoticeCenter
    /// Subscribed before the requests were added, so that no event is missed.
    let events: NoticeCenter.Events
    let reporter: CenterReporter

    /// - Parameter id: The request or base of the series to wait for; nil waits for everything in the store.
    ///
    /// Throws ``NoticeError`` if nothing was ever shown, `CancellationError` when interrupted.
    func finish(with id: String? = nil) async throws {
        var retrying: Set<String> = []
        // Tracked by the reported events, not by the center's state, so that the last response is reported too.
        var delivered: Set<String> = []
        var shown = 0
        var lastFailure: HistoryEntry?
        var read = 0
        for await event in events {
            read += 1
            try reporter.report(event)
            switch event {
            case .delivered(let notice):
                shown += 1
                // For other notices, the end is not reported.
                if await center.reportsClosing { delivered.insert(notice.requestID) }
            case .history(let entry) where entry.outcome == .retrying: retrying.insert(entry.requestID)
            case .history(let entry):
                retrying.remove(entry.requestID)
                if entry.outcome == .failed || entry.outcome == .missed { lastFailure = entry }
                if entry.outcome == .closed || entry.outcome == .responded { delivered.remove(entry.requestID) }
            case .undisplayed, .error: break
            }
            await center.quiet()
            guard retrying.isEmpty, delivered.isEmpty else { continue }
            // All events have been reported, including those that arrived meanwhile.
            if try await isOver(id), !events.hasMore(than: read) { break }
        }
        try Task.checkCancellation()
        guard shown == 0, let lastFailure else { return }
        throw NoticeError.notShown("'\(lastFailure.requestID)'", lastFailure)
    }

    private func isOver(_ id: String?) async throws -> Bool {
        let isLeft = try await center.pending().contains { id == nil || $0.id == id || $0.request.series == id }
        // The last one may be in flight.
        if !isLeft { await center.quiet() }
        return !isLeft
    }
}

extension NoticeError {
    /// Returns the error of a notice that was not shown, with the reason that the history has.
    static func notShown(_ notice: String, _ entry: HistoryEntry) -> NoticeError {
        NoticeError(.notShown, "\(notice) was not shown: \(entry.detail ?? entry.outcome.rawValue)")
    }
}

extension NoticeError.Code {
    /// A request ended without having been shown; permanent for that request.
    static let notShown = Self(rawValue: "notShown")
}
