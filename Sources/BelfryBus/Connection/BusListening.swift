/// What is listened for on a bus from its first connection on; the connection itself puts it back after a loss.
package final class BusListening: Sendable {
    private let bus: BusConnection
    private let gate = StartGate()

    package init(on bus: BusConnection) { self.bus = bus }

    /// Connects, sets up what `begin` asks for, and keeps it until the task is cancelled; then the connection is closed. What
    /// makes it impossible, other than a bus that has gone again, goes to `failed`.
    package func run(
        _ begin: () async throws(BusError) -> [BusSubscription],
        failed: (BusError) -> Void
    ) async {
        var subscriptions: [BusSubscription] = []
        let states = bus.states()
        bus.start()
        for await state in states {
            if case .disconnected = state { gate.refuse() }
            guard case .connected = state, subscriptions.isEmpty else { continue }
            do throws(BusError) {
                subscriptions = try await begin()
                gate.open()
            } catch  where error.isTransient {
                // The bus went away meanwhile; its return is another state.
                continue
            } catch {
                failed(error)
                gate.refuse()
            }
        }
        gate.close()
        gate.refuse()
        // Before the connection is closed, which is the end of every owner to whoever watches.
        for subscription in subscriptions { subscription.cancel() }
        await bus.close()
    }

    /// Returns when everything is listened for, within the limit. Without a bus nobody is kept waiting: throws why there is
    /// none.
    package func wait(within limit: Duration) async throws(BusError) {
        if case .disconnected(let error, _) = bus.state { throw error }
        guard await gate.wait(within: limit) else {
            if case .disconnected(let error, _) = bus.state { throw error }
            throw BusError(.noBus, "The session bus is not there yet: try again later.")
        }
    }
}
