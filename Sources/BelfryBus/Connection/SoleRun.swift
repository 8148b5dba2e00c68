import Synchronization

/// The one run of a backend, which its calls wait for: a center starts both at the same time.
package final class SoleRun<Session: Sendable>: Sendable {
    private let session = Mutex<Session?>(nil)
    private let gate = StartGate()

    package init() {}

    /// False, and nothing is done, where there is one already.
    package func run(_ session: Session, _ work: () async -> Void) async -> Bool {
        let isFirst = self.session.withLock { current in
            guard current == nil else { return false }
            current = session
            return true
        }
        guard isFirst else { return false }
        gate.open()
        await work()
        gate.close()
        self.session.withLock { $0 = nil }
        return true
    }

    /// Nil where none has begun within the limit.
    package func current(within limit: Duration) async -> Session? {
        if session.withLock({ $0 }) == nil { _ = await gate.wait(within: limit) }
        return session.withLock { $0 }
    }
}
