import Belfry

extension DeliveryBackendConformance {
    /// Shown, or refused with a permanent ``NoticeError`` (a transient one would be tried again, and again), each
    /// within the timeout; and plain content is shown after each.
    func survivesOddContent() async throws {
        try await withRunning { running in
            for (name, content) in OddContent.all {
                try await survives(name, content, prepared: true, running)
            }
        }
    }

    /// The same with what a center would have cut, cleaned or refused.
    func survivesUnprepared() async throws {
        guard isUnprepared else { throw ConformanceSkip("the server is known to hang from it") }
        try await withRunning { running in
            for (name, content) in OddContent.all {
                try await survives(name, content, prepared: false, running)
            }
        }
    }

    private func survives(_ name: String, _ content: NoticeContent, prepared: Bool, _ running: Running) async throws {
        do {
            let delivery = Self.delivery(name, content: content)
            try await running.withdraw(
                prepared
                    ? try await running.deliverToBusyServer(delivery)
                    : try await running.deliver(delivery, prepared: false)
            )
        } catch let error as NoticeError {
            // The server may be at it for longer than a call may take: dunst lays out a megabyte as one line.
            let isExcused = !prepared && error.code == .serverTimedOut
            try expect(
                isExcused || !error.isTransient,
                "Content with \(name) was refused for now, and would be tried again: \(error)"
            )
        } catch { throw ConformanceError("Content with \(name): \(error)") }
        do {
            try await running.withdraw(try await running.deliverToBusyServer(Self.delivery("plain, after \(name)")))
        } catch { throw ConformanceError("Plain content after content with \(name): \(error)") }
    }
}
