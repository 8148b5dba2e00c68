import Belfry
import Synchronization

/// The wait for the end of one notice. Create it before the notice is shown, so that no event is missed.
struct NoticeWait: Sendable {
    enum End: Sendable {
        /// The history entry that ends the wait, and the user's response if there is one.
        case entry(HistoryEntry, NoticeResponse?)
        case timeout
        case stopped
    }

    private let id: String
    private let center: NoticeCenter
    private let events: NoticeCenter.Events
    private let responses: LastResponse
    private let output: CommandOutput?

    /// - Parameter output: Gets the errors that happen meanwhile, and a note if the notice is snoozed.
    init(for id: String, in center: NoticeCenter, output: CommandOutput? = nil) async {
        self.id = id
        self.center = center
        self.output = output
        responses = LastResponse(to: id)
        await center.setDelegate(responses)
        events = await center.events()
    }

    /// Waits until the user responds or the notice is closed. If canceled, it ends early; the caller checks that.
    func end(within timeout: Duration?) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask { await end() }
            if let timeout {
                group.addTask {
                    try? await Task.sleep(for: timeout)
                    return .timeout
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .stopped
        }
    }

    private func end() async -> End {
        for await event in events {
            if case .error(let error) = event { output?.note(error.description) }
            guard case .history(let entry) = event, entry.requestID == id,
                entry.outcome == .closed || entry.outcome == .responded
            else { continue }
            // A snoozed notice is shown again by this process, which has to keep running.
            if await isSnoozed() { continue }
            // The delegate has the response when the center is quiet.
            await center.quiet()
            return .entry(entry, responses.response)
        }
        return .stopped
    }

    private func isSnoozed() async -> Bool {
        guard let until = try? await center.pending().first(where: { $0.id == id })?.snoozedUntil else { return false }
        output?.note("snoozed until \(until.readable()), waiting in this process, Ctrl-C to stop")
        return true
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
