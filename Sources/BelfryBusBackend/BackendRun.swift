package import Belfry
package import BelfryBus

/// The run of a backend over a bus, and its calls, which wait until it listens: a center starts its backend and its
/// deliveries at the same time.
package final class BackendRun<Session: Sendable>: Sendable {
    private struct Run {
        let session: Session
        var listening = Listening.starting
    }

    private enum Listening {
        /// The bus has not replied yet.
        case starting
        /// All subscriptions are set up; the connection itself restores them after a loss.
        case begun
        /// There is no bus, or it refuses a subscription.
        case failed(BusError)
    }

    private let backend: String
    private let noticeError: @Sendable (BusError) -> NoticeError
    private let running = AwaitedState<Run?>(nil)
    private let pauses = BusReconnection()

    /// - Parameters:
    ///   - backend: The name of the backend in error messages.
    ///   - noticeError: Creates the notice error for an error of the bus.
    package init(of backend: String, _ noticeError: @escaping @Sendable (BusError) -> NoticeError) {
        self.backend = backend
        self.noticeError = noticeError
    }

    /// Connects, sets up the subscriptions that `begin` makes, and keeps them until the task is canceled; then closes
    /// the connection. Gives the session to calls meanwhile. Errors that make this impossible, other than another loss
    /// of the bus, are passed to `failed`. `end` is called while everything that arrives is still received.
    package func run(
        _ session: Session,
        on bus: BusConnection,
        _ begin: () async throws(BusError) -> [BusSubscription],
        end: () async -> Void = {},
        failed: (NoticeError) -> Void
    ) async throws(NoticeError) {
        let isAlone = running.withLock { running in
            guard running == nil else { return false }
            running = Run(session: session)
            return true
        }
        guard isAlone else {
            throw NoticeError(.unsupported, "This backend is running already: make one for each center.")
        }
        let subscriptions = await listen(on: bus, begin, failed: failed)
        running.withLock { $0 = nil }
        await end()
        // Before the connection closes, which watchers see as the loss of every owner.
        for subscription in subscriptions { subscription.cancel() }
        await bus.close()
    }

    /// Returns the subscriptions when the task is canceled.
    private func listen(
        on bus: BusConnection,
        _ begin: () async throws(BusError) -> [BusSubscription],
        failed: (NoticeError) -> Void
    ) async -> [BusSubscription] {
        var subscriptions: [BusSubscription] = []
        let states = bus.states()
        bus.start()
        for await state in states where subscriptions.isEmpty {
            switch state {
            case .idle, .closed: break
            case .connecting: set(.starting)
            case .disconnected(let error, _): set(.failed(error))
            case .connected:
                do throws(BusError) {
                    guard let begun = try await retrying(begin, on: bus) else { continue }
                    subscriptions = begun
                    set(.begun)
                } catch {
                    set(.failed(error))
                    failed(noticeError(error))
                }
            }
        }
        return subscriptions
    }

    private func set(_ listening: Listening) { running.withLock { $0?.listening = listening } }

    /// Repeats `begin` while the bus is connected and the error is transient, such as a reached limit. Returns nil if
    /// the bus was lost meanwhile: `listen` starts again when it is back.
    private func retrying(
        _ begin: () async throws(BusError) -> [BusSubscription],
        on bus: BusConnection
    ) async throws(BusError) -> [BusSubscription]? {
        var attempt = 0
        while true {
            do throws(BusError) { return try await begin() } catch  where error.isTransient {
                guard case .connected = bus.state else { return nil }
                await pause(for: pauses.delay(before: attempt))
                guard !Task.isCancelled else { return nil }
                attempt += 1
            }
        }
    }

    /// Returns the session of the run once it listens. Waits for the run until the timeout `start`, and then for the
    /// bus until `limit`. If there is no bus, or it refuses the subscriptions, throws the reason immediately.
    package func session(within start: Duration, listening limit: Duration) async throws(NoticeError) -> Session {
        if let run = running.current, case .begun = run.listening { return run.session }
        _ = await running.waitUnlessCancelled(within: start) { $0 != nil }
        _ = await running.waitUnlessCancelled(within: limit) { run in
            if case .starting = run?.listening { false } else { true }
        }
        guard let run = running.current else {
            throw NoticeError(.backendStopped, "The \(backend) backend is not running: run the center first.")
        }
        switch run.listening {
        case .begun: return run.session
        case .failed(let error): throw noticeError(error)
        case .starting: throw noticeError(BusError(.noBus, "The session bus is not there yet: try again later."))
        }
    }
}
