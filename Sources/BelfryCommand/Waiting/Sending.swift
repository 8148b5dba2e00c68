import Belfry
import BelfryRecurrence

/// Shows one notice and, where that is wanted, waits for what becomes of it.
struct Sending: Sendable {
    let request: NoticeRequest
    let printsNumber: Bool
    let waits: Bool
    let output: CommandOutput
    let chosen: ChosenBackend
    var descriptors = AnswerDescriptors()

    func perform(_ center: NoticeCenter) async throws {
        let answers = ResponseBox()
        await center.setDelegate(answers)
        let events = await center.events()
        let shown = try await center.show(request)
        try report(shown)
        guard waits || hasButtons else { return }
        // Of too many buttons the first ones are there: what was lost is said already.
        let hasLostButtons = shown.receipt.lost.contains { $0.feature == .actions }
        if hasLostButtons, !chosen.isConsole(shown.receipt),
            try await !center.capabilities().features.contains(.actions)
        {
            throw CommandFailure(
                .unsupported,
                "The notice is shown, but this desktop shows no buttons; see belfry doctor."
            )
        }
        guard chosen.canBeAnswered(shown.receipt) else {
            output.remark("nobody can answer here: standard input is no terminal")
            return
        }
        if !chosen.reportsClosing(shown.receipt) {
            output.remark(
                "'\(shown.receipt.backend)' does not tell when a notice is closed: waiting for an answer alone"
            )
            guard hasButtons else { return }
        }
        let ending = try await waitForEnd(of: shown, center, events, answers)
        try report(ending, of: shown)
        guard ending == .serverGone else { return }
        throw CommandFailure(
            .noServer,
            "The notification server went away while the notice waited, and the notice with it: send it again when the "
                + "server is back; see belfry doctor."
        )
    }

    private var hasButtons: Bool { !request.content.actions.isEmpty || canBeSnoozed }
    private var canBeSnoozed: Bool { request.content.category == NoticeCategory.snoozeID }

    private func report(_ shown: DeliveredNotice) throws {
        for loss in shown.receipt.lost { output.remark("lost \(loss)") }
        if let remark = chosen.remark(on: shown.receipt) { output.remark(remark) }
        if printsNumber, !output.json { try output.plain(shown.receipt.handle) }
        try descriptors.write(id: shown.receipt.handle)
        try output.object([
            ("id", .string(shown.receipt.handle)), ("backend", .string(shown.receipt.backend)),
            ("title", .string(shown.content.title)), ("body", .string(shown.content.body)),
            ("at", .string(RFC3339.text(shown.date, in: .system()))),
            ("outcome", .string(HistoryEntry.Outcome.delivered.rawValue)),
            ("lost", .array(shown.receipt.lost.map { .string($0.description) })),
        ])
    }

    /// For eyes the chosen action alone, as notify-send prints it; of a click on the notice itself, nothing.
    private func report(_ ending: SendEnding, of shown: DeliveredNotice) throws {
        let response = ending.response
        var text: String? { if case .reply(_, let text) = ending { text } else { nil } }
        let outcome = response == nil ? HistoryEntry.Outcome.closed : .answered
        try output.object([
            ("id", .string(shown.receipt.handle)), ("ended", .string(ending.name)),
            ("action", response?.actionID.map { .string($0) }), ("text", text.map { .string($0) }),
            ("outcome", .string(outcome.rawValue)),
            ("at", response.map { .string(RFC3339.text($0.date, in: .system())) }),
        ])
        guard let response, let action = response.actionID,
            request.content.actions.contains(where: { $0.id == action })
        else { return }
        if !output.json { try output.plain(action) }
        try descriptors.write(action: action, token: response.activationToken)
    }

    private func isPutOff(_ center: NoticeCenter) async -> Bool {
        guard let pending = try? await center.pending().first(where: { $0.id == request.id }),
            let until = pending.snoozedUntil
        else { return false }
        output.remark(
            "put off until \(ReadableDate.text(until, in: .system())), waiting in this process, Ctrl-C to stop"
        )
        return true
    }

    /// Until the notice was answered or has left the screen, or its time is over; an interruption takes it down.
    private func waitForEnd(
        of shown: DeliveredNotice,
        _ center: NoticeCenter,
        _ events: NoticeCenter.Events,
        _ answers: ResponseBox
    ) async throws -> SendEnding {
        let ending = await withTaskGroup(of: WaitEnd.self) { group in
            group.addTask { await waitEnd(in: events, of: center) }
            if case .after(let limit) = request.content.desktop.expiry {
                group.addTask {
                    // Cancelled, it ends early; what that means is seen below.
                    try? await Task.sleep(for: limit)
                    return .timeOver
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .stopped
        }
        if Task.isCancelled {
            // First what a script waits for: a server that hangs would keep it from that.
            try report(.interrupted, of: shown)
            try await center.removeDelivered([request.id])
            throw CancellationError()
        }
        switch ending {
        case .timeOver:
            output.remark("the time after -t is over")
            // Nobody would hear of a button that is pressed now.
            if hasButtons { try await center.removeDelivered([request.id]) }
            return .expired
        case .entry(let last):
            // The delegate has the response when the center is quiet.
            await center.quiet()
            return answers.response.map(SendEnding.init) ?? SendEnding(detail: last.detail)
        case .stopped:
            throw CommandFailure(.centerStopped, "The center was stopped while the notice waited: send it again.")
        }
    }

    private enum WaitEnd: Sendable {
        /// The line of the history with which it is over.
        case entry(HistoryEntry)
        /// The time after `-t`.
        case timeOver
        case stopped
    }

    private func waitEnd(in events: NoticeCenter.Events, of center: NoticeCenter) async -> WaitEnd {
        for await event in events {
            if case .error(let error) = event { output.remark(error.description) }
            guard case .history(let entry) = event, entry.requestID == request.id,
                entry.outcome == .closed || entry.outcome == .answered
            else { continue }
            // Put off, it comes again: in this process, which has to stay.
            if canBeSnoozed, await isPutOff(center) { continue }
            return .entry(entry)
        }
        return .stopped
    }
}
