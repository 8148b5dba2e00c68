/// Callers that wait for what becomes of a delivery: of `show`, and of removals that have called it off.
struct DeliveryCallers {
    typealias Removing = (removal: Removal, caller: Caller<NoticeCenter.RemovalReport>)

    private var shows: [DeliveryReference: Caller<NoticeState.Delivered>] = [:]
    private var removals: [Removing] = []

    var hasRemovals: Bool { !removals.isEmpty }

    /// Until the notice is on the screen.
    mutating func wait(for delivery: DeliveryReference, _ caller: Caller<NoticeState.Delivered>) {
        shows[delivery] = caller
    }

    /// Until the backend is done with what was in flight.
    mutating func wait(for removal: Removal, _ caller: Caller<NoticeCenter.RemovalReport>) {
        removals.append((removal, caller))
    }

    mutating func conclude(_ delivery: DeliveryReference, with outcome: Result<NoticeState.Delivered, NoticeError>) {
        shows.removeValue(forKey: delivery)?.resume(returning: outcome)
    }

    /// The backend is done with a delivery that was called off. Returns those who wait for no delivery any more.
    mutating func release(_ delivery: DeliveryReference) -> [Removing] {
        for index in removals.indices { removals[index].removal.inFlight.remove(delivery) }
        defer { removals.removeAll(where: \.removal.inFlight.isEmpty) }
        return removals.filter(\.removal.inFlight.isEmpty)
    }
}
