/// A delivery that the backend is working on. A class, because it is large and passed along often.
final class InFlightDelivery: Sendable {
    let delivery: Delivery
    /// The content that the app asked for, before it was prepared for the backend.
    let content: NoticeContent
    let reportsDismissal: Bool

    init(delivery: Delivery, content: NoticeContent, reportsDismissal: Bool) {
        self.delivery = delivery
        self.content = content
        self.reportsDismissal = reportsDismissal
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
        let work = timedWork(flight)
        if setup.mayBlock {
            // A blocking backend may already have blocked all threads of its executor.
            _ = await withTimeout(setup.options.deliveryTimeout, on: AppThreads.shared) { work.beginImmediately() }
        } else {
            work.beginImmediately()
        }
    }

    private func timedWork(_ flight: InFlightDelivery) -> TimedWork<Result<DeliveryReceipt, NoticeError>> {
        let (backend, clock) = (setup.backend, self.clock)
        let begun = clock.now().boot
        return TimedWork(setup.options.deliveryTimeout, on: setup.backendExecutor) { late in
            self.receive(.landedLate(flight, late))
        } done: { result in
            self.receive(.landed(flight, result, took: .microseconds(clock.now().boot - begun)))
        } _: {
            do throws(NoticeError) { return .success(try await backend.deliver(flight.delivery)) } catch {
                return .failure(error)
            }
        }
    }

    func landed(_ flight: InFlightDelivery, _ result: Result<DeliveryReceipt, NoticeError>?, took: Duration) {
        deliveries.endDelivery(after: result == nil ? nil : took)
        switch result {
        case .success(let given):
            let receipt = receipt(given, of: flight.delivery)
            if inSchedule({ $0.isWanted(flight.reference) }) { announce(flight.delivery, flight.content, receipt) }
            delivered(flight, receipt)
        case .failure(let error): commits.append(.event(.deliveryFailed(flight.reference, error)))
        case nil:
            let error = timedOut("deliver the notice '\(flight.delivery.requestID)'")
            commits.append(.event(.deliveryFailed(flight.reference, error)))
        }
    }

    func landedLate(_ flight: InFlightDelivery, _ result: Result<DeliveryReceipt, NoticeError>) {
        switch result {
        case .success(let given): delivered(flight, receipt(given, of: flight.delivery))
        case .failure: resolve(1)
        }
    }

    private func delivered(_ flight: InFlightDelivery, _ receipt: DeliveryReceipt) {
        commits.append(.event(.delivered(flight.reference, receipt, reportsDismissal: flight.reportsDismissal)))
    }

    /// Returns the receipt with the features lost in preparation first, without those that the backend repeats.
    private func receipt(_ receipt: DeliveryReceipt, of delivery: Delivery) -> DeliveryReceipt {
        guard !delivery.lost.isEmpty else { return receipt }
        var receipt = receipt
        receipt.lost = delivery.lost + receipt.lost.filter { !delivery.lost.contains($0) }
        return receipt
    }
}
