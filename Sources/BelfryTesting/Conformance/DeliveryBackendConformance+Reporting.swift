import Belfry

extension DeliveryBackendConformance {
    private static let question = NoticeContent(
        title: "Respond to me",
        actions: [NoticeAction("yes", title: "Yes"), NoticeAction("no", title: "No")]
    ).with { $0.desktop.expiry = .never }

    func withdrawsWithoutResponse() async throws {
        try await withRunning { running in
            let receipt = try await running.deliver(Self.delivery("withdrawn", content: Self.question))
            try await running.withdraw(receipt)
            // The server's signals about the first notice arrive before the receipt of a later notice.
            let later = try await running.deliver(Self.delivery("later"))
            try await running.withdraw(later)
            for event in running.events {
                try expect(!event.isResponse, "A notice that the app withdrew got a response: \(event)")
            }
        }
    }

    func reportsResponses() async throws {
        guard let pressAction else { throw ConformanceSkip("the suite was given nobody who presses a button") }
        try await withRunning { running in
            let capabilities = try await running.capabilities()
            guard capabilities.features.contains(.actions) else {
                throw ConformanceSkip("\(capabilities.server) has no actions")
            }
            // The last button that is shown.
            let delivery = Self.delivery("response", content: Self.question).prepared(for: capabilities)
            guard let pressed = delivery.content.actions.last?.id else {
                throw ConformanceSkip("\(capabilities.server) shows no button")
            }
            try await waitForEmptyScreen?(running.backend)
            let receipt = try await running.deliver(delivery, prepared: false)
            try await pressAction(running.backend, receipt, pressed)
            let response = try await running.event("the response") { $0.isResponse }
            guard case .responded(let reference, let action, _, _) = response else { return }
            try expectEqual(reference, DeliveryReceipt.Reference(receipt), "What the response names")
            try expectEqual(action, pressed, "The action of the response")
            try await running.withdraw(receipt)
            try await running.withdraw(try await running.deliver(Self.delivery("later")))
            try expectEqual(running.events.count(where: \.isResponse), 1, "How often one response was reported")
        }
    }

    func reportsClosings() async throws {
        guard let closeByHand else { throw ConformanceSkip("the suite was given nobody who closes a notice") }
        try await withRunning { running in
            try await waitForEmptyScreen?(running.backend)
            let receipt = try await running.deliver(Self.delivery("closed", content: Self.question))
            try await closeByHand(running.backend, receipt)
            let closing = try await running.event("the closing") { $0.isClosing }
            guard case .closed(let reference, let reason) = closing else { return }
            try expectEqual(reference, DeliveryReceipt.Reference(receipt), "What the closing names")
            // mate-notification-daemon reports a closing by hand as "expired", so the two can't be distinguished there.
            try expect(reason.kind != .withdrawn, "The user closed it, and the report names the app: \(reason)")
            try expect(
                !running.events.contains(where: \.isResponse),
                "A closing by hand was reported as a response"
            )
        }
    }

    func survivesTheServer() async throws {
        guard let removeServer, let restoreServer else {
            throw ConformanceSkip("the suite can't remove the server")
        }
        try await withRunning { running in
            let before = try await running.deliver(Self.delivery("before"))
            try await removeServer(running.backend)
            try await running.event("the server's going") { if case .serverGone = $0 { true } else { false } }
            do {
                _ = try await running.deliver(Self.delivery("nobody there"), prepared: false)
                throw ConformanceError("Something was delivered without a server")
            } catch let error as NoticeError {
                try expect(
                    error.isTransient,
                    "Without a server the error is permanent, and nobody tries again: \(error)"
                )
            }
            // The notice is gone already; a backend may also report that it can't reach the server.
            do { try await running.withdraw(before) } catch let error as NoticeError where error.isTransient {}
            let known = running.events.count
            try await restoreServer(running.backend)
            try await running.event("the server's coming", after: known) {
                if case .serverCame = $0 { true } else { false }
            }
            let after = try await running.deliver(Self.delivery("after", replaces: before))
            try expect(
                DeliveryReceipt.Reference(after) != DeliveryReceipt.Reference(before),
                "A receipt of the server that went and one of the server that came are the same"
            )
        }
    }
}
