import Belfry

/// Shows one notice and, if requested, waits for its end.
struct Sending: Sendable {
    let request: NoticeRequest
    var printsNumber = false
    var waits = false
    let output: CommandOutput
    let chosen: ChosenBackend
    /// The additional outputs for the notice's number, the chosen action and its token.
    var descriptors: (id: Int32?, action: Int32?, token: Int32?) = (nil, nil, nil)
    /// The ended program that the notice is about.
    var program: ProgramEnd?

    /// Shows the notice. Returns nil if there is nothing to wait for.
    @discardableResult
    func perform(_ center: NoticeCenter) async throws -> SendEnding? {
        let wait = await NoticeWait(for: request.id, in: center, output: output)
        let shown = try await center.show(request)
        try report(shown)
        guard waits || hasButtons else { return nil }
        // If there are too many buttons, the first ones are shown; the lost ones are reported already.
        let hasLostButtons = shown.receipt.lost.contains { $0.feature == .actions }
        if hasLostButtons, !chosen.isConsole(shown.receipt),
            try await !center.capabilities().features.contains(.actions)
        {
            throw NoticeError(
                .unsupported,
                "The notice is shown, but this desktop shows no buttons; see 'belfry doctor'."
            )
        }
        guard chosen.acceptsResponses(shown.receipt) else {
            output.note("nobody can respond here: standard input is no terminal")
            return nil
        }
        if await !center.reportsClosing {
            output.note(
                "'\(shown.receipt.backend)' does not report when a notice is closed: "
                    + (hasButtons ? "waiting for a response alone" : "not waiting")
            )
            guard hasButtons else { return nil }
        }
        let ending = try await ending(of: shown, center, wait)
        try report(ending, of: shown)
        return ending
    }

    private var hasButtons: Bool {
        !request.content.actions.isEmpty || request.content.category == NoticeCategory.snoozeID
    }

    private func report(_ shown: DeliveredNotice) throws {
        let receipt = shown.receipt
        for loss in receipt.lost { output.note("lost \(loss)") }
        if let note = chosen.note(on: receipt) { output.note(note) }
        if printsNumber, !output.json { try output.plain(receipt.handle) }
        try output.plain(receipt.handle, to: descriptors.id)
        try output.object([
            "id": receipt.handle, "backend": receipt.backend, "title": shown.content.title, "body": shown.content.body,
            "at": shown.date.rfc3339(), "outcome": HistoryEntry.Outcome.delivered.rawValue,
            "status": program?.status.map(Int.init), "seconds": program?.time,
            "lost": receipt.lost.map(\.description),
        ])
    }

    /// Reports the end: for the user only the chosen action, as notify-send does; nothing for a click on the notice.
    private func report(_ ending: SendEnding, of shown: DeliveredNotice) throws {
        let response = ending.response
        let outcome = response == nil ? HistoryEntry.Outcome.closed : .responded
        try output.object([
            "id": shown.receipt.handle, "ended": ending.kind.rawValue, "action": response?.actionID,
            "text": ending.text, "outcome": outcome.rawValue, "at": response?.date.rfc3339(),
        ])
        guard let response, let action = response.actionID,
            request.content.actions.contains(where: { $0.id == action })
        else { return }
        if !output.json { try output.plain(action) }
        try output.plain(action, to: descriptors.action)
        try output.plain(response.activationToken ?? "", to: descriptors.token)
    }

    /// Waits until the user responds, or the notice is closed or times out. An interruption removes it from the screen.
    private func ending(
        of shown: DeliveredNotice,
        _ center: NoticeCenter,
        _ wait: NoticeWait
    ) async throws -> SendEnding {
        let timeout: Duration? = if case .after(let time) = request.content.desktop.expiry { time } else { nil }
        do {
            if let ending = try await wait.end(within: timeout) { return ending }
        } catch is CancellationError {
            // The script's result is written first: a server that hangs would delay it.
            try report(SendEnding(.interrupted), of: shown)
            try await center.removeDelivered([request.id])
            throw CancellationError()
        }
        output.note("the time after -t is over")
        // A button that is pressed now would have no effect.
        if hasButtons { try await center.removeDelivered([request.id]) }
        return SendEnding(.expired)
    }
}
