/// A delivery in the backend's hands.
struct DeliveryFlight: Sendable {
    let delivery: Delivery
    /// What the app asked to be shown, before it was prepared for the backend.
    let content: NoticeContent
    let reportsDismissal: Bool

    var reference: DeliveryReference { DeliveryReference(requestID: delivery.requestID, deliveryID: delivery.id) }

    /// What became of it.
    struct Landing: Sendable {
        let flight: DeliveryFlight
        /// Nil where the backend took too long.
        let result: Result<DeliveryReceipt, NoticeError>?
        let took: Duration?
    }
}

extension EmbeddedCenter {
    /// Hands a delivery to the backend and returns when that has begun with it: what is begun in order is shown in order.
    ///
    /// A receipt that comes after the limit still counts: the notice is on the screen.
    func launch(_ flight: DeliveryFlight) async throws(NoticeError) {
        try checkBackend(for: "deliver '\(flight.delivery.requestID)'")
        deliveries.beginDelivery()
        await handOver(flight)
    }

    /// Off the center, so that the backend's first steps, up to where it waits, are taken here and now.
    @concurrent private nonisolated func handOver(_ flight: DeliveryFlight) async {
        let (backend, begun) = (setup.backend, ContinuousClock.now)
        beginWithTimeLimit(setup.options.deliveryTimeLimit, on: backend.executor) { late in
            Task(executorPreference: CenterThread.shared) { await self.arrivedLate(flight, late) }
        } done: { result in
            let landing = DeliveryFlight.Landing(
                flight: flight,
                result: result,
                took: result.map { _ in ContinuousClock.now - begun }
            )
            if self.landings.put(landing) {
                Task(executorPreference: CenterThread.shared) { await self.takeInLandings() }
            }
        } _: { () -> Result<DeliveryReceipt, NoticeError> in
            do throws(NoticeError) { return .success(try await backend.deliver(flight.delivery)) } catch {
                return .failure(error)
            }
        }
    }

    private func takeInLandings() {
        for landing in landings.takeAll() {
            deliveries.endDelivery(after: landing.took)
            take(landing)
        }
        checkQuiet()
    }

    private func take(_ landing: DeliveryFlight.Landing) {
        let flight = landing.flight
        switch landing.result {
        case .success(let given):
            let receipt = receipt(given, of: flight.delivery)
            if schedule.isWanted(flight.reference) { announce(flight.delivery, flight.content, receipt) }
            post(.event(.delivered(flight.reference, receipt, reportsDismissal: flight.reportsDismissal)))
        case .failure(let error): post(.event(.deliveryFailed(flight.reference, error)))
        case nil:
            let error = timedOut("deliver the notice '\(flight.delivery.requestID)'")
            post(.event(.deliveryFailed(flight.reference, error)))
        }
    }

    private func arrivedLate(_ flight: DeliveryFlight, _ result: Result<DeliveryReceipt, NoticeError>) {
        switch result {
        case .success(let given):
            let receipt = receipt(given, of: flight.delivery)
            post(.event(.delivered(flight.reference, receipt, reportsDismissal: flight.reportsDismissal)))
        case .failure: resolve(1)
        }
    }

    /// What was lost in preparation comes first; a backend may have told it again.
    private func receipt(_ receipt: DeliveryReceipt, of delivery: Delivery) -> DeliveryReceipt {
        guard !delivery.lost.isEmpty else { return receipt }
        var receipt = receipt
        receipt.lost = delivery.lost + receipt.lost.filter { !delivery.lost.contains($0) }
        return receipt
    }
}
