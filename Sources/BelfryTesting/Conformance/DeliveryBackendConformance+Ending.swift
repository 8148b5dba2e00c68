import Belfry

extension DeliveryBackendConformance {
    /// Whatever becomes of the notice, the call ends, and the next one is served.
    func endsCancelledCalls() async throws {
        try await withRunning { running in
            let capabilities = try await running.capabilities()
            let calls = (0..<5).map { number in
                let delivery = Self.delivery("canceled \(number)").prepared(for: capabilities)
                return Task { try await running.deliverWithoutTimeout(delivery) }
            }
            for call in calls { call.cancel() }
            for call in calls {
                // The notice may be shown or not; only the return of the call matters.
                _ = try await within(running.timeout, "deliver(_:) after its task was canceled") { await call.result }
            }
            _ = try await running.deliver(Self.delivery("after the canceled ones"))
        }
    }

    func endsWhenCancelled() async throws {
        let early = try await makeBackend()
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await early.run { _ in }
        }
        try await ended(cancelled)
        let running = Running(try await makeBackend(), timeout: timeout)
        let run = Task { try await running.backend.run { running.report($0) } }
        let receipt: DeliveryReceipt
        do {
            defer { run.cancel() }
            try await waitUntilReady(running)
            receipt = try await running.deliver(Self.delivery("last", content: Self.lastWords))
        }
        try await ended(run)
        let reported = running.events.count
        // This causes an event that a backend could still report.
        do { try await running.withdraw(receipt) } catch is NoticeError {}
        try await clearScreen(of: receipt)
        try expectEqual(running.events.count, reported, "Events when the run had ended, and later")
    }

    private static let lastWords = NoticeContent(title: "The last words").with {
        $0.desktop.expiry = .after(.seconds(1))
    }

    /// Runs another backend, which takes longer than an event that is in flight.
    private func clearScreen(of receipt: DeliveryReceipt) async throws {
        try await withRunning { running in
            try await running.withdraw(receipt)
            _ = try await running.deliver(Self.delivery("the next run"))
        }
    }

    /// Done or refused with a ``NoticeError``, within the timeout.
    func returnsAfterTheRun() async throws {
        let backend = try await makeBackend()
        let running = Running(backend, timeout: timeout)
        let run = Task { try await backend.run { _ in } }
        run.cancel()
        try await ended(run)
        do {
            let receipt = try await running.deliver(Self.delivery("too late"), prepared: false)
            try await running.withdraw(receipt)
        } catch is NoticeError {}
    }
}
