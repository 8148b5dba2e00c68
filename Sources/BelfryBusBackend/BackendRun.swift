package import Belfry

/// The run of a backend, and its calls, which wait for it: a center starts its backend and its deliveries at the same
/// time.
package final class BackendRun<Session: Sendable>: Sendable {
    private let backend: String
    private let running = AwaitedState<Session?>(nil)

    /// - Parameter backend: The name of the backend in error messages.
    package init(of backend: String) { self.backend = backend }

    /// Gives the session to calls while `work` runs.
    package func run(_ session: Session, _ work: () async -> Void) async throws(NoticeError) {
        let isAlone = running.withLock { running in
            guard running == nil else { return false }
            running = session
            return true
        }
        guard isAlone else {
            throw NoticeError(.unsupported, "This backend is running already: make one for each center.")
        }
        await work()
        running.withLock { $0 = nil }
    }

    /// Returns the session of the run. Waits for it until the timeout.
    package func session(within limit: Duration) async throws(NoticeError) -> Session {
        if let session = running.current { return session }
        _ = await running.waitUnlessCancelled(within: limit) { $0 != nil }
        guard let session = running.current else {
            throw NoticeError(.backendStopped, "The \(backend) backend is not running: run the center first.")
        }
        return session
    }
}
