import Belfry

/// Shows one notice and, if requested, waits for its end.
struct Sending: Sendable {
    let request: NoticeRequest
    let printsNumber: Bool
    let waits: Bool
    let output: CommandOutput
    let chosen: ChosenBackend
    /// The additional outputs for the notice's number, the chosen action and its token.
    var descriptors: (id: Int32?, action: Int32?, token: Int32?) = (nil, nil, nil)

    /// Shows the notice. Returns nil if there is nothing to wait for.
    @discardableResult
    func perform(_ center: NoticeCenter) async throws -> SendEnding? {
        let responses = LastResponse()
        await center.setDelegate(responses)
        let events = await center.events()
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
                "The notice is shown, but this desktop shows no buttons; see belfry doctor."
            )
        }
        guard chosen.canBeAnswered(shown.receipt) else {
            output.note("nobody can answer here: standard input is no terminal")
            return nil
        }
        if !chosen.reportsClosing(shown.receipt) {
            output.note(
                "'\(shown.receipt.backend)' does not tell when a notice is closed: waiting for an answer alone"
            )
            guard hasButtons else { return nil }
        }
        let ending = try await waitForEnd(of: shown, center, events, responses)
        try report(ending, of: shown)
        return ending
    }

    private var hasButtons: Bool { !request.content.actions.isEmpty || canBeSnoozed }
    private var canBeSnoozed: Bool { request.content.category == NoticeCategory.snoozeID }

    private func report(_ shown: DeliveredNotice) throws {
        let receipt = shown.receipt
        for loss in receipt.lost { output.note("lost \(loss)") }
        if let note = chosen.note(on: receipt) { output.note(note) }
        if printsNumber, !output.json { try output.plain(receipt.handle) }
        try DescriptorOptions.write(receipt.handle, to: descriptors.id)
        try output.object([
            "id": receipt.handle, "backend": receipt.backend, "title": shown.content.title, "body": shown.content.body,
            "at": shown.date.rfc3339(), "outcome": HistoryEntry.Outcome.delivered.rawValue,
            "lost": receipt.lost.map(\.description),
        ])
    }

    /// Reports the end: for the user only the chosen action, as notify-send does; nothing for a click on the notice.
    private func report(_ ending: SendEnding, of shown: DeliveredNotice) throws {
        let response = ending.response
        let outcome = response == nil ? HistoryEntry.Outcome.closed : .answered
        try output.object([
            "id": shown.receipt.handle, "ended": ending.kind.rawValue, "action": response?.actionID,
            "text": ending.text, "outcome": outcome.rawValue, "at": response?.date.rfc3339(),
        ])
        guard let response, let action = response.actionID,
            request.content.actions.contains(where: { $0.id == action })
        else { return }
        if !output.json { try output.plain(action) }
        try DescriptorOptions.write(action, to: descriptors.action)
        try DescriptorOptions.write(response.activationToken ?? "", to: descriptors.token)
    }

    private func isSnoozed(_ center: NoticeCenter) async -> Bool {
        guard let pending = try? await center.pending().first(where: { $0.id == request.id }),
            let until = pending.snoozedUntil
        else { return false }
        output.note("snoozed until \(until.readable()), waiting in this process, Ctrl-C to stop")
        return true
    }

    /// Waits until the notice is answered, closed or timed out. An interruption removes it from the screen.
    private func waitForEnd(
        of shown: DeliveredNotice,
        _ center: NoticeCenter,
        _ events: NoticeCenter.Events,
        _ responses: LastResponse
    ) async throws -> SendEnding {
        let end = await withTaskGroup(of: WaitEnd.self) { group in
            group.addTask { await waitEnd(in: events, of: center) }
            if case .after(let timeout) = request.content.desktop.expiry {
                group.addTask {
                    // When cancelled, the sleep ends early; the cancellation is checked below.
                    try? await Task.sleep(for: timeout)
                    return .timeout
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .stopped
        }
        if Task.isCancelled {
            // The script's result is written first: a server that hangs would delay it.
            try report(SendEnding(.interrupted), of: shown)
            try await center.removeDelivered([request.id])
            throw CancellationError()
        }
        switch end {
        case .timeout:
            output.note("the time after -t is over")
            // A button that is pressed now would have no effect.
            if hasButtons { try await center.removeDelivered([request.id]) }
            return SendEnding(.expired)
        case .entry(let last):
            // The delegate has the response when the center is quiet.
            await center.quiet()
            return responses.response.map(SendEnding.init) ?? SendEnding(detail: last.detail)
        case .stopped:
            throw NoticeError(.centerStopped, "The center was stopped while the notice waited: send it again.")
        }
    }

    private enum WaitEnd: Sendable {
        /// The history entry that ends the wait.
        case entry(HistoryEntry)
        /// The time after `-t` has passed.
        case timeout
        case stopped
    }

    private func waitEnd(in events: NoticeCenter.Events, of center: NoticeCenter) async -> WaitEnd {
        for await event in events {
            if case .error(let error) = event { output.note(error.description) }
            guard case .history(let entry) = event, entry.requestID == request.id,
                entry.outcome == .closed || entry.outcome == .answered
            else { continue }
            // A snoozed notice is shown again by this process, which has to keep running.
            if canBeSnoozed, await isSnoozed(center) { continue }
            return .entry(entry)
        }
        return .stopped
    }
}
