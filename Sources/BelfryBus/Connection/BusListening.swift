/// What is listened for on a bus from its first connection on; the connection itself puts it back after a loss.
package final class BusListening: Sendable {
    private let bus: BusConnection
    private let gate: StartGate<Void>
    private let pauses = BusReconnection()

    package init(on bus: BusConnection) {
        self.bus = bus
        gate = StartGate(on: bus.core.loop)
    }

    /// Connects, sets up what `begin` asks for, and keeps it until the task is cancelled; then the connection is
    /// closed. What makes it impossible, other than a bus that has gone again, goes to `failed`.
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
                guard let begun = try await retrying(begin) else { continue }
                subscriptions = begun
                _ = gate.open(())
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

    /// Begins again while the bus stands and the reason passes, such as a limit that is reached. Nil where the bus went
    /// away meanwhile: its return is another state.
    private func retrying(
        _ begin: () async throws(BusError) -> [BusSubscription]
    ) async throws(BusError) -> [BusSubscription]? {
        var attempt = 0
        while true {
            do throws(BusError) { return try await begin() } catch  where error.isTransient {
                guard case .connected = bus.state else { return nil }
                try? await Task.sleep(for: pauses.delay(before: attempt))
                guard !Task.isCancelled else { return nil }
                attempt += 1
            }
        }
    }

    /// Returns when everything is listened for, within the limit. Without a bus nobody is kept waiting: throws why
    /// there is none.
    package func wait(within limit: Duration) async throws(BusError) {
        if case .disconnected(let error, _) = bus.state { throw error }
        guard await gate.wait(within: limit) != nil else {
            if case .disconnected(let error, _) = bus.state { throw error }
            throw BusError(.noBus, "The session bus is not there yet: try again later.")
        }
    }
}
