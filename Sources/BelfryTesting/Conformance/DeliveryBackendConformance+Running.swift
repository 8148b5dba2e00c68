import Belfry
import FoundationEssentials
import Synchronization

extension DeliveryBackendConformance {
    /// The context of a check: the running backend, its events and the receipts of its deliveries.
    final class Running: Sendable {
        let backend: any DeliveryBackend
        let timeout: Duration
        private let reported = AwaitedState<[BackendEvent]>([])
        private let receipts = Mutex<[DeliveryReceipt]>([])

        init(_ backend: any DeliveryBackend, timeout: Duration) {
            self.backend = backend
            self.timeout = timeout
        }

        func report(_ event: BackendEvent) { reported.withLock { $0.append(event) } }

        /// The events that the backend has reported, in order.
        var events: [BackendEvent] { reported.current }

        func capabilities() async throws -> DeliveryCapabilities {
            try await within(timeout, "capabilities()") { try await self.backend.capabilities() }
        }

        /// Delivers a notice, by default prepared as a center prepares it.
        func deliver(_ delivery: Delivery, prepared: Bool = true) async throws -> DeliveryReceipt {
            let delivery = prepared ? delivery.prepared(for: try await capabilities()) : delivery
            return try await within(timeout, "deliver(_:) of \"\(delivery.requestID)\"") {
                try await self.deliverWithoutTimeout(delivery)
            }
        }

        /// Delivers a notice to a server that may still be drawing an earlier one: a delivery that times out there is
        /// repeated within the timeout of this suite, as a center repeats it.
        func deliverToBusyServer(_ delivery: Delivery) async throws -> DeliveryReceipt {
            var delivery = delivery
            let end = ContinuousClock.now + timeout
            while true {
                do { return try await deliver(delivery) } catch let error as NoticeError
                    where error.code == .serverTimedOut && ContinuousClock.now < end
                {
                    delivery.isPossiblyRepeated = true
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }

        /// Delivers a notice without a timeout.
        func deliverWithoutTimeout(_ delivery: Delivery) async throws -> DeliveryReceipt {
            let receipt = try await backend.deliver(delivery)
            receipts.withLock { $0.append(receipt) }
            return receipt
        }

        /// The receipts of all deliveries, including those of calls that timed out.
        var shown: [DeliveryReceipt] { receipts.withLock { $0 } }

        func withdraw(_ receipt: DeliveryReceipt) async throws {
            try await within(timeout, "withdraw(_:) of \(receipt.handle)") { try await self.backend.withdraw(receipt) }
        }

        /// The first such event behind the first `count`, within the timeout.
        @discardableResult
        func event(
            _ what: String,
            after count: Int = 0,
            where wanted: @escaping @Sendable (BackendEvent) -> Bool
        ) async throws -> BackendEvent {
            try await within(timeout, "the report of \(what)") {
                _ = await self.reported.waitUnlessCancelled { $0.dropFirst(count).contains(where: wanted) }
                guard let found = self.events.dropFirst(count).first(where: wanted) else { throw CancellationError() }
                return found
            }
        }

        /// Checks the rules that hold for all reported events in any check.
        func checkEvents() throws(ConformanceError) {
            // Some servers show the replacement of a closed notice under its old number.
            var open: [DeliveryReceipt.Reference: Int] = [:]
            for receipt in shown { open[DeliveryReceipt.Reference(receipt), default: 0] += 1 }
            for event in events {
                if let misbehavior = event.misbehavior { throw ConformanceError(misbehavior) }
                guard let reference = event.reference else { continue }
                guard let count = open[reference] else {
                    throw ConformanceError("An event names what was not delivered: \(event)")
                }
                guard event.isClosing else { continue }
                try expect(count > 0, "A notice was closed more often than it was shown: \(event)")
                open[reference] = count - 1
            }
        }
    }

    /// Runs a backend while `body` does, takes off the screen what it has shown, and looks at all that was reported.
    func withRunning(_ body: @escaping @Sendable (Running) async throws -> Void) async throws {
        let running = Running(try await makeBackend(), timeout: timeout)
        let run = Task { try await running.backend.run { running.report($0) } }
        do {
            try await waitUntilReady(running)
            var skip: ConformanceSkip?
            do { try await body(running) } catch let reason as ConformanceSkip { skip = reason }
            for receipt in running.shown { try await running.withdraw(receipt) }
            run.cancel()
            try await ended(run)
            try running.checkEvents()
            if let skip { throw skip }
        } catch {
            run.cancel()
            // The first error is reported; another check covers a run that does not end. Where the run never began, its
            // own error says why.
            let neverBegan = (error as? NoticeError)?.code == .backendStopped
            do { try await ended(run) } catch let reason as NoticeError where neverBegan { throw reason } catch {}
            throw error
        }
    }

    /// Waits until the run has begun in its own task. Until then a backend may throw `backendStopped`.
    func waitUntilReady(_ running: Running) async throws {
        let expiry = ContinuousClock.now + timeout
        while true {
            do {
                _ = try await running.capabilities()
                return
            } catch let error as NoticeError where error.code == .backendStopped && ContinuousClock.now < expiry {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    func ended(_ run: Task<Void, any Error>) async throws {
        do {
            try await within(timeout, "run(reporting:) after its task was canceled") { try await run.value }
        } catch is CancellationError {}
    }

    /// Returns a delivery with a unique text: some servers refuse a repeated text within a second.
    static func delivery(
        _ requestID: String,
        content: NoticeContent? = nil,
        replaces: DeliveryReceipt? = nil
    ) -> Delivery {
        let id = UUID().uuidString
        return Delivery(
            id: id,
            requestID: requestID,
            app: AppIdentity(id: "org.belfry.Conformance", name: "Belfry"),
            content: content ?? NoticeContent(title: "Conformance", body: "\(requestID) \(id.prefix(8))"),
            dueDate: Date(timeIntervalSince1970: 1_800_000_000),
            replaces: replaces
        )
    }
}
