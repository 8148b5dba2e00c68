import Belfry

extension DeliveryBackendConformance {
    @discardableResult @Sendable
    public func keepsItsName() async throws -> ConformanceOutcome {
        let backend = try await makeBackend()
        let other = try await makeBackend()
        try expect(!backend.name.isEmpty, "The name is empty; it stands in receipts and in the ledger")
        try expectEqual(other.name, backend.name, "The names of two backends of one kind")
        return .passed
    }

    @discardableResult @Sendable
    public func answersCapabilities() async throws -> ConformanceOutcome {
        try await withRunning { running in
            let capabilities = try await running.capabilities()
            try expect(!capabilities.server.isEmpty, "The server has no name; people read it in `doctor`")
            let limits = [capabilities.titleLimit, capabilities.bodyLimit].compactMap { $0 }
            try expect(limits.allSatisfy { $0 > 0 }, "A text limit of 0 or less; nil is without limit")
            try expect((capabilities.actionLimit ?? 0) >= 0, "An action limit below 0; nil is without limit")
            return (.passed, [])
        }
    }

    @discardableResult @Sendable
    public func namesItselfInReceipts() async throws -> ConformanceOutcome {
        try await withRunning { running in
            let receipt = try await running.deliver(Self.delivery("receipt"))
            try expectEqual(receipt.backend, running.backend.name, "The backend in the receipt")
            try expect(!receipt.handle.isEmpty, "The receipt's handle is empty; events could not name the delivery")
            return (.passed, [receipt])
        }
    }

    @discardableResult @Sendable
    public func givesEachDeliveryAHandle() async throws -> ConformanceOutcome {
        try await withRunning { running in
            let first = try await running.deliver(Self.delivery("first"))
            let second = try await running.deliver(Self.delivery("second"))
            try expect(
                ReceiptReference(first) != ReceiptReference(second),
                "Two deliveries have the handle \(first.handle); events could not tell them apart"
            )
            return (.passed, [first, second])
        }
    }

    @discardableResult @Sendable
    public func deliversConcurrently() async throws -> ConformanceOutcome {
        try await withRunning { running in
            let receipts = try await withThrowingTaskGroup(of: DeliveryReceipt.self) { group in
                for number in 0..<10 {
                    group.addTask { try await running.deliver(Self.delivery("concurrent \(number)")) }
                }
                var receipts: [DeliveryReceipt] = []
                for try await receipt in group { receipts.append(receipt) }
                return receipts
            }
            try expectEqual(Set(receipts.map(ReceiptReference.init)).count, 10, "Handles of 10 deliveries at once")
            return (.passed, receipts)
        }
    }

    @discardableResult @Sendable
    public func replacesInPlace() async throws -> ConformanceOutcome {
        try await withRunning { running in
            let capabilities = try await running.capabilities()
            guard capabilities.features.contains(.replacing) else {
                return (.skipped("\(capabilities.server) can't replace"), [])
            }
            let first = try await running.deliver(Self.delivery("replaced"))
            let second = try await running.deliver(Self.delivery("replaced", replaces: first))
            try expectEqual(ReceiptReference(second), ReceiptReference(first), "What names the replacement")
            return (.passed, [second])
        }
    }

    @discardableResult @Sendable
    public func replacesWhatIsGone() async throws -> ConformanceOutcome {
        try await withRunning { running in
            let first = try await running.deliver(Self.delivery("gone"))
            try await running.withdraw(first)
            let second = try await running.deliver(Self.delivery("gone", replaces: first))
            guard second.server != nil else { return (.passed, [second]) }
            var foreign = second
            foreign.server = "a server of long ago"
            let third = try await running.deliver(Self.delivery("foreign", replaces: foreign))
            try expect(
                ReceiptReference(third) != ReceiptReference(second),
                "A receipt of another server replaced a notice of this one; handles die with their server"
            )
            return (.passed, [second, third])
        }
    }

    @discardableResult @Sendable
    public func withdrawsTwice() async throws -> ConformanceOutcome {
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
            return (.passed, [])
        }
    }

    /// Shown or refused with a ``NoticeError``, each within the limit; and plain content is shown after each.
    @discardableResult @Sendable
    public func survivesOddContent() async throws -> ConformanceOutcome {
        try await withRunning { running in
            var receipts: [DeliveryReceipt] = []
            for (name, content) in OddContent.all {
                do {
                    let receipt = try await running.deliver(Self.delivery(name, content: content))
                    receipts.append(receipt)
                } catch is NoticeError {
                    // Refused: that is an answer.
                } catch { throw ConformanceFailure("Content with \(name): \(error)") }
                do {
                    try await running.withdraw(try await running.deliver(Self.delivery("plain, after \(name)")))
                } catch { throw ConformanceFailure("Plain content after content with \(name): \(error)") }
            }
            return (.passed, receipts)
        }
    }

    @discardableResult @Sendable
    public func reportsAnswers() async throws -> ConformanceOutcome {
        guard let pressAction else { return .skipped("the suite was given nobody who presses a button") }
        return try await withRunning { running in
            let capabilities = try await running.capabilities()
            guard capabilities.features.contains(.actions) else {
                return (.skipped("\(capabilities.server) has no actions"), [])
            }
            let content = NoticeContent(
                title: "Answer me",
                actions: [NoticeAction("yes", title: "Yes"), NoticeAction("no", title: "No")]
            )
            let receipt = try await running.deliver(Self.delivery("answered", content: content))
            try await pressAction(running.backend, receipt, "no")
            let answer = try await within(running.limit, "the report of the answer") {
                for await event in running.events { if case .answered = event { return event } }
                throw ConformanceFailure("The run ended without a report of the answer")
            }
            guard case .answered(let reference, let action, _, _) = answer else { return (.passed, [receipt]) }
            try expectEqual(reference, ReceiptReference(receipt), "What the answer names")
            try expectEqual(action, "no", "The action of the answer")
            return (.passed, [receipt])
        }
    }

    @discardableResult @Sendable
    public func endsWhenCancelled() async throws -> ConformanceOutcome {
        let early = try await makeBackend()
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await early.run { _ in }
        }
        try await ended(cancelled)
        return try await withRunning { running in
            // Ended by the caller, within the limit.
            (.passed, [try await running.deliver(Self.delivery("last"))])
        }
    }

    /// Done or refused with a ``NoticeError``, within the limit.
    @discardableResult @Sendable
    public func answersAfterTheRun() async throws -> ConformanceOutcome {
        let backend = try await makeBackend()
        let run = Task { try await backend.run { _ in } }
        let running = Running(backend: backend, events: AsyncStream { $0.finish() }, limit: limit)
        run.cancel()
        try await ended(run)
        do {
            let receipt = try await running.deliver(Self.delivery("too late"))
            try await running.withdraw(receipt)
        } catch is NoticeError {}
        return .passed
    }
}
