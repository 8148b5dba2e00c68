import Belfry
import FoundationEssentials
import Synchronization

/// The wait for the end of one notice. Create it before the notice is shown, so that no event is missed.
struct NoticeWait: Sendable {
    private let id: String
    private let center: NoticeCenter
    private let events: NoticeCenter.Events
    private let responses: LastResponse
    private let output: CommandOutput?
    private let isSnoozed = AwaitedState(false)

    /// - Parameter output: Gets the errors that happen meanwhile, and a note if the notice is snoozed.
    init(for id: String, in center: NoticeCenter, output: CommandOutput? = nil) async {
        self.id = id
        self.center = center
        self.output = output
        responses = LastResponse(to: id)
        await center.setDelegate(responses)
        events = await center.events()
    }

    /// Waits until the user responds or the notice is closed. Returns nil if the time is over, which counts again when
    /// a snoozed notice is shown again.
    ///
    /// Throws ``NoticeError/Code/notShown`` if a snoozed notice can't be shown again,
    /// ``NoticeError/Code/centerStopped`` if the center was stopped, `CancellationError` when interrupted.
    func end(within timeout: Duration?) async throws -> SendEnding? {
        let ending = try await withThrowingTaskGroup(of: SendEnding?.self) { group in
            group.addTask { try await end() }
            if let timeout {
                group.addTask {
                    await waitForTime(timeout)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        try Task.checkCancellation()
        return ending
    }

    /// Returns when the notice has been on the screen for that time without being snoozed.
    private func waitForTime(_ timeout: Duration) async {
        while !Task.isCancelled {
            _ = await isSnoozed.waitUnlessCancelled { !$0 }
            if await isSnoozed.waitUnlessCancelled(within: timeout, until: { $0 }) { continue }
            // The event of a snooze may not have been read yet.
            guard await snoozedUntil() != nil else { return }
        }
    }

    private func end() async throws -> SendEnding {
        for await event in events {
            if case .error(let error) = event { output?.report(error, about: Article.about(error.code)) }
            if case .delivered(let notice) = event, notice.requestID == id { isSnoozed.withLock { $0 = false } }
            guard case .history(let entry) = event, entry.requestID == id else { continue }
            switch entry.outcome {
            case .closed, .responded: break
            // A snoozed notice may fail when it is shown again.
            case .failed, .suppressed, .missed, .dropped:
                throw NoticeError.notShown("The notice", entry)
            default: continue
            }
            // A snoozed notice is shown again by this process, which has to keep running.
            if let until = await snoozedUntil() {
                isSnoozed.withLock { $0 = true }
                output?.note("snoozed until \(until.readable()), waiting in this process, Ctrl-C to stop")
                continue
            }
            // The delegate has the response when the center is quiet.
            await center.quiet()
            return responses.response.map(SendEnding.init) ?? SendEnding(detail: entry.detail)
        }
        try Task.checkCancellation()
        throw NoticeError(.centerStopped, "The center was stopped while the notice waited: send it again.")
    }

    private func snoozedUntil() async -> Date? {
        try? await center.pending().first { $0.id == id }?.snoozedUntil
    }
}

/// The delegate for the responses to a notice. It keeps the last one that is no snooze.
private final class LastResponse: NoticeCenterDelegate {
    private let id: String
    private let last = Mutex<NoticeResponse?>(nil)

    init(to id: String) { self.id = id }

    var response: NoticeResponse? { last.withLock { $0 } }

    func handle(_ response: NoticeResponse) async {
        guard response.requestID == id, response.snoozedUntil == nil else { return }
        last.withLock { $0 = response }
    }
}

/// The reason why the wait for a notice ended.
struct SendEnding: Sendable, Hashable {
    /// The value of `ended` in `send --json`.
    enum Kind: String, Sendable {
        case action, reply, clicked, closed
        /// The desktop closed it, or the time after `-t` has passed.
        case expired
        case serverGone, interrupted
    }

    let kind: Kind
    /// The user's response, if it was more than closing.
    var response: NoticeResponse?

    init(_ kind: Kind) { self.kind = kind }

    init(_ response: NoticeResponse) {
        switch response.kind {
        case .action: kind = .action
        case .reply: kind = .reply
        case .opened: kind = .clicked
        case .dismissed: kind = .closed
        }
        if kind != .closed { self.response = response }
    }

    /// Creates an end without a response; `detail` is that of the history entry.
    init(detail: String?) {
        switch detail.flatMap(ClosingDetail.init) {
        case .closed(let reason) where reason.kind == .expired: kind = .expired
        case .serverGone, .serverRestarted: kind = .serverGone
        case .closed, nil: kind = .closed
        }
    }

    /// The text that the user typed.
    var text: String? {
        guard case .reply(_, let text)? = response?.kind else { return nil }
        return text
    }
}
