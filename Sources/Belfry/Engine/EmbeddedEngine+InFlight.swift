/// A delivery that the backend is working on. A class, because it is large and passed along often.
final class InFlightDelivery: Sendable {
    let delivery: Delivery
    /// The content that the app asked for, before it was prepared for the backend.
    let content: NoticeContent
    let reportsDismissal: Bool
    /// When the backend got it, on the boot clock.
    let begun: Int64

    init(delivery: Delivery, content: NoticeContent, reportsDismissal: Bool, begun: Int64) {
        self.delivery = delivery
        self.content = content
        self.reportsDismissal = reportsDismissal
        self.begun = begun
    }

    var reference: DeliveryReference { DeliveryReference(requestID: delivery.requestID, deliveryID: delivery.id) }
}

extension EmbeddedEngine {
    /// Gives a delivery to the backend and returns when the backend has begun it. Deliveries that begin in order are
    /// shown in order.
    ///
    /// A receipt that comes after the timeout still counts, since the notice is on the screen.
    func launch(_ flight: InFlightDelivery) async throws(NoticeError) {
        try checkBackend(for: "deliver '\(flight.delivery.requestID)'")
        deliveries.beginDelivery()
        // Starts now, not when the backend begins: a blocking one may have blocked all threads of its executor.
        let timeout = Timeout.begin(setup.options.deliveryTimeout) { self.receive(.landed(flight, nil)) }
        // A backend that may block its thread is called on others.
        if setup.backendExecutor !== CenterThread.shared {
            await beginOnAppThread(flight, timeout)
        } else {
            begin(flight, timeout)
        }
    }

    /// Begins a delivery on a thread where the backend may block, and returns when it has begun, or after the timeout.
    private nonisolated func beginOnAppThread(_ flight: InFlightDelivery, _ timeout: Timeout) async {
        let hasBegun = AwaitedValue<Void>()
        Task(executorPreference: AppThreads.shared) {
            self.begin(flight, timeout)
            hasBegun.give(())
        }
        await hasBegun.value(within: setup.options.deliveryTimeout, late: (), cancelled: ())
    }

    /// Calls the backend on this thread. Returns when it is done, or has suspended for the first time.
    ///
    /// After the timeout it doesn't call the backend: a retry is planned, or the request was removed.
    private nonisolated func begin(_ flight: InFlightDelivery, _ timeout: Timeout) {
        guard !timeout.isOver else {
            let error = timedOut("deliver the notice '\(flight.delivery.requestID)'")
            return receive(.landedLate(flight, .failure(error)))
        }
        let task = Task.immediate(executorPreference: setup.backendExecutor) {
            let result: Result<DeliveryReceipt, NoticeError>
            do throws(NoticeError) {
                result = .success(try await self.setup.backend.deliver(flight.delivery))
            } catch { result = .failure(error) }
            self.receive(timeout.end() ? .landed(flight, result) : .landedLate(flight, result))
        }
        timeout.setTask(task)
    }

    func landed(_ flight: InFlightDelivery, _ result: Result<DeliveryReceipt, NoticeError>?) {
        deliveries.endDelivery(after: result.map { _ in .microseconds(clock.now().boot - flight.begun) })
        switch result {
        case .success(let given): delivered(flight, given)
        case .failure(let error): commits.append(.event(.deliveryFailed(flight.reference, error)))
        case nil:
            let error = timedOut("deliver the notice '\(flight.delivery.requestID)'")
            commits.append(.event(.deliveryFailed(flight.reference, error)))
        }
        // Now, and not when the outcome is stored: the backend may get another delivery meanwhile.
        resumeWaiters()
    }

    func landedLate(_ flight: InFlightDelivery, _ result: Result<DeliveryReceipt, NoticeError>) {
        switch result {
        case .success(let given): delivered(flight, given)
        case .failure: resolve(1)
        }
    }

    private func delivered(_ flight: InFlightDelivery, _ given: DeliveryReceipt) {
        let receipt = given.adding(flight.delivery.lost)
        if let badge = flight.delivery.content.badge, !receipt.lost.contains(where: { $0.feature == .badge }) {
            deliveries.badge = badge
        }
        // Otherwise the notice is withdrawn: the request was removed, or a retry has shown it.
        if inSchedule({ $0.isWanted(flight.reference) }) { announce(flight.delivery, flight.content, receipt) }
        commits.append(.event(.delivered(flight.reference, receipt, reportsDismissal: flight.reportsDismissal)))
    }
}
