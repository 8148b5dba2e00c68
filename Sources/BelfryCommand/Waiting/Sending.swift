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
        if hasLostButtons, !chosen.prints(shown.receipt), try await !center.capabilities().features.contains(.actions) {
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
        try await waitForEnd(center, events)
        await center.quiet()
        try report(answers.response)
    }

    private var hasButtons: Bool { !request.content.actions.isEmpty || canBeSnoozed }
    private var canBeSnoozed: Bool { request.content.category == NoticeCategory.snoozeIdentifier }

    private func report(_ shown: DeliveredNotice) throws {
        for loss in shown.receipt.lost { output.remark("lost \(loss)") }
        if let remark = chosen.remark(on: shown.receipt) { output.remark(remark) }
        if printsNumber, !output.json { try output.plain(shown.receipt.handle) }
        try descriptors.write(id: shown.receipt.handle)
        guard !chosen.prints(shown.receipt) else { return }
        try output.object([
            ("id", .string(shown.receipt.handle)), ("title", .string(shown.content.title)),
            ("body", .string(shown.content.body)), ("at", .string(RFC3339.text(shown.shownAt, in: .system()))),
            ("outcome", .string(LedgerEntry.Outcome.delivered.rawValue)),
            ("lost", .array(shown.receipt.lost.map { .string($0.description) })),
        ])
    }

    /// The chosen action, as notify-send prints it; of a click on a notice that has no such action, nothing.
    private func report(_ response: NoticeResponse?) throws {
        guard let response, let action = response.actionID,
            request.content.actions.contains(where: { $0.identifier == action })
        else { return }
        try output.object([
            ("action", .string(action)), ("outcome", .string(LedgerEntry.Outcome.answered.rawValue)),
            ("at", .string(RFC3339.text(response.at, in: .system()))),
        ])
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
    private func waitForEnd(_ center: NoticeCenter, _ events: CenterEvents) async throws {
        let id = request.id
        let expiry = request.content.expiry
        let isOver = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await case .ledger(let entry) in events where entry.requestID == id {
                    guard entry.outcome == .closed || entry.outcome == .answered else { continue }
                    // Put off, it comes again: in this process, which has to stay.
                    if canBeSnoozed, await isPutOff(center) { continue }
                    return true
                }
                return !Task.isCancelled
            }
            if case .after(let limit) = expiry {
                group.addTask {
                    // Cancelled, it ends early; what that means is seen below.
                    try? await Task.sleep(for: limit)
                    return false
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
        if Task.isCancelled {
            try await center.removeDelivered([id])
            throw CancellationError()
        }
        guard !isOver else { return }
        output.remark("the time after -t is over")
        // Nobody would hear of a button that is pressed now.
        if hasButtons { try await center.removeDelivered([id]) }
    }
}
