import Belfry

extension ServerTour {
    /// What comes back of buttons, clicks and the closing by hand.
    func answer(_ facts: inout TourFacts) async throws {
        for (what, deed) in [
            ("button", ["press", "yes"]), ("click on the popup", ["open"]), ("closed by hand", ["close"]),
        ] {
            guard await Desktop.canHand(deed[0]) else {
                facts.note(what, "not possible with a mouse")
                continue
            }
            let content = NoticeContent(title: "Choose", body: "by mouse", actions: Self.actions)
            let receipt = try await show(what, content)
            try await backend.hand(on: receipt, actions: "default,yes,no", deed)
            facts.note(what, try await outcome(of: receipt, isClosing: deed == ["close"]))
            try await clear(what)
        }
    }

    /// The answer, and the closing that follows it on some servers.
    private func outcome(of receipt: DeliveryReceipt, isClosing: Bool) async throws -> String {
        var parts: [String] = []
        if !isClosing {
            let action = try await backend.event(about: receipt, within: patience) { event -> String? in
                if case .responded(_, let action, _, let token) = event {
                    return "answered \"\(action)\"" + (token == nil ? "" : " with an activation token")
                }
                return nil
            }
            parts.append(action ?? "no answer")
        }
        // After an answer the closing is there at once or never.
        if let reason = try await closing(of: receipt, within: isClosing ? patience : .seconds(5)) {
            parts.append(reason)
        }
        return parts.isEmpty ? "nothing was reported" : parts.joined(separator: ", ")
    }

    func closing(of receipt: DeliveryReceipt, within limit: Duration) async throws -> String? {
        try await backend.event(about: receipt, within: limit) { event in
            if case .closed(_, let reason) = event { "closed (\(reason.rawValue))" } else { nil }
        }
    }

    /// Replacing, withdrawing, and the end of a notice's time.
    func leave(_ facts: inout TourFacts) async throws {
        let first = try await show("bar", NoticeContent(title: "Replaced", body: "before"))
        let second = try await show("bar", NoticeContent(title: "Replaced", body: "after"))
        facts.note("replacing", first.handle == second.handle ? "in place" : "a new notice")
        try await center.removeDelivered(["bar"])
        let reported = try await closing(of: second, within: patience) ?? "nothing was reported"
        let isGone = (try? await Desktop.tool("screen-empty", "--watch")) != nil
        facts.note("withdrawing", reported + (isGone ? "" : ", and the popup stays on the screen"))
        try await Screen.waitUntilEmpty()

        var brief = NoticeContent(title: "Brief", body: "for 700 ms")
        brief.desktop.expiry = .after(.milliseconds(700))
        let receipt = try await show("brief", brief)
        let closing = try await closing(of: receipt, within: patience)
        // What a server keeps in its history has left the screen, and is not closed.
        let hasLeft = (try? await Desktop.tool("screen-empty", "--watch")) != nil
        let stay =
            hasLeft
            ? "leaves the screen, and nothing is reported" : "stays longer than \(patience.components.seconds) s"
        facts.note("time limit of 0.7 s", lost(receipt, .expiry) ?? closing ?? stay)
        try await clear("brief")
    }
}
