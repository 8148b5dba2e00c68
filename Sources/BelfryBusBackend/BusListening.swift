import Belfry
package import BelfryBus

/// Subscriptions that a backend needs from the first connection on; the connection itself restores them after a loss.
package final class BusListening: Sendable {
    private let bus: BusConnection
    private let progress = AwaitedState(Progress())
    private let pauses = BusReconnection()

    private struct Progress {
        /// Whether the subscriptions are set up.
        var isListening = false
        /// How often the callers that waited were told that they wait in vain.
        var refusals = 0
    }

    package init(on bus: BusConnection) { self.bus = bus }

    /// Connects, sets up the subscriptions that `begin` makes, and keeps them until the task is canceled; then closes
    /// the connection. Errors that make this impossible, other than another loss of the bus, are passed to `failed`.
    package func run(
        _ begin: () async throws(BusError) -> [BusSubscription],
        failed: (BusError) -> Void
    ) async {
        var subscriptions: [BusSubscription] = []
        let states = bus.states()
        bus.start()
        for await state in states {
            if case .disconnected = state { refuse() }
            guard case .connected = state, subscriptions.isEmpty else { continue }
            do throws(BusError) {
                guard let begun = try await retrying(begin) else { continue }
                subscriptions = begun
                progress.withLock { $0.isListening = true }
            } catch {
                failed(error)
                refuse()
            }
        }
        progress.withLock { $0.isListening = false }
        refuse()
        // Before the connection closes, which watchers see as the loss of every owner.
        for subscription in subscriptions { subscription.cancel() }
        await bus.close()
    }

    /// Ends the waits of all current callers.
    private func refuse() { progress.withLock { $0.refusals += 1 } }

    /// Repeats `begin` while the bus is connected and the error is transient, such as a reached limit. Returns nil if
    /// the bus was lost meanwhile: `run` starts again when it is back.
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

    /// Waits until all subscriptions are set up, or the timeout. If there is no bus, throws the reason immediately.
    package func wait(within limit: Duration) async throws(BusError) {
        if case .disconnected(let error, _) = bus.state { throw error }
        let now = progress.current
        if now.isListening { return }
        _ = await progress.waitUnlessCancelled(within: limit) { $0.isListening || $0.refusals != now.refusals }
        guard progress.current.isListening else {
            if case .disconnected(let error, _) = bus.state { throw error }
            throw BusError(.noBus, "The session bus is not there yet: try again later.")
        }
    }
}
