import Belfry

extension DeliveryBackendConformance {
    func keepsItsName() async throws {
        let backend = try await makeBackend()
        let other = try await makeBackend()
        try expect(!backend.name.isEmpty, "The name is empty; it stands in receipts and in the history")
        try expectEqual(other.name, backend.name, "The names of two backends of one kind")
    }

    func reportsCapabilities() async throws {
        try await withRunning { running in
            let capabilities = try await running.capabilities()
            try expect(!capabilities.server.isEmpty, "The server has no name; users read it in `doctor`")
            let limits = [capabilities.titleLimit, capabilities.bodyLimit].compactMap { $0 }
            try expect(limits.allSatisfy { $0 > 0 }, "A text limit of 0 or less; nil is without limit")
            try expect((capabilities.actionLimit ?? 0) >= 0, "An action limit below 0; nil is without limit")
        }
    }

    func namesItselfInReceipts() async throws {
        try await withRunning { running in
            let receipt = try await running.deliver(Self.delivery("receipt"))
            try expectEqual(receipt.backend, running.backend.name, "The backend in the receipt")
            try expect(!receipt.handle.isEmpty, "The receipt's handle is empty; events could not name the delivery")
        }
    }

    func givesEachDeliveryAHandle() async throws {
        try await withRunning { running in
            let first = try await running.deliver(Self.delivery("first"))
            let second = try await running.deliver(Self.delivery("second"))
            try expect(
                DeliveryReceipt.Reference(first) != DeliveryReceipt.Reference(second),
                "Two deliveries have the handle \(first.handle); events could not distinguish them"
            )
        }
    }

    func deliversConcurrently() async throws {
        try await withRunning { running in
            let receipts = try await withThrowingTaskGroup(of: DeliveryReceipt.self) { group in
                for number in 0..<10 {
                    group.addTask { try await running.deliver(Self.delivery("concurrent \(number)")) }
                }
                var receipts: [DeliveryReceipt] = []
                for try await receipt in group { receipts.append(receipt) }
                return receipts
            }
            try expectEqual(
                Set(receipts.map(DeliveryReceipt.Reference.init)).count,
                10,
                "Handles of 10 deliveries at once"
            )
        }
    }

    func showsTitlesInOrder() async throws {
        guard let shownTitles else { throw ConformanceSkip("the suite can't see the screen") }
        try await withRunning { running in
            let titles = [
                "Tom & \"Jerry\" <3", "<b>not bold</b>", "bo\u{308}se 家 🇩🇪", "100 %s %n \\n", "the last of five",
            ]
            let before = try await shownTitles(running.backend).count
            for title in titles {
                _ = try await running.deliver(Self.delivery(title, content: NoticeContent(title: title, body: title)))
            }
            // A server replies before it draws: poll the screen until all titles are there.
            let shown = try await within(running.timeout, "the showing of five titles") {
                while true {
                    let shown = try await shownTitles(running.backend).dropFirst(before)
                    if shown.count >= titles.count { return Array(shown) }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            try expectEqual(shown, titles, "The titles on the screen")
        }
    }

    func replacesInPlace() async throws {
        try await withRunning { running in
            let capabilities = try await running.capabilities()
            guard capabilities.features.contains(.replacing) else {
                throw ConformanceSkip("\(capabilities.server) can't replace")
            }
            let first = try await running.deliver(Self.delivery("replaced"))
            var latest = first
            // The same updates as a progress bar.
            for step in 1...20 {
                let content = NoticeContent(title: "Replaced", body: "step \(step)", progress: Double(step) / 20)
                latest = try await running.deliver(Self.delivery("replaced", content: content, replaces: latest))
                try expectEqual(
                    DeliveryReceipt.Reference(latest),
                    DeliveryReceipt.Reference(first),
                    "What names replacement \(step)"
                )
                try expect(
                    !latest.lost.contains { $0.feature == .replacing },
                    "Replacement \(step) keeps the handle, and yet \(latest.lost) says that it doesn't"
                )
            }
        }
    }

    func replacesWhatIsGone() async throws {
        try await withRunning { running in
            let first = try await running.deliver(Self.delivery("gone"))
            try await running.withdraw(first)
            let second = try await running.deliver(Self.delivery("gone", replaces: first))
            guard second.server != nil else { return }
            var foreign = second
            foreign.server = "a server of long ago"
            let third = try await running.deliver(Self.delivery("foreign", replaces: foreign))
            try expect(
                DeliveryReceipt.Reference(third) != DeliveryReceipt.Reference(second),
                "A receipt of another server replaced a notice of this one; handles die with their server"
            )
        }
    }

    func withdrawsTwice() async throws {
        try await withRunning { running in
            let receipt = try await running.deliver(Self.delivery("withdrawn"))
            try await running.withdraw(receipt)
            try await running.withdraw(receipt)
            for handle in ["4294967295", "0", "-1", "no number", "", "99999999999999999999"] {
                try await running.withdraw(DeliveryReceipt(backend: receipt.backend, handle: handle))
                try await running.withdraw(
                    DeliveryReceipt(backend: receipt.backend, handle: handle, server: receipt.server)
                )
            }
        }
    }
}
