package import BelfryLoop
import Synchronization

/// What callers wait for until it has begun, for a bounded time. For the backends that work over a bus, which a center
/// starts at the same time as its deliveries.
package final class StartGate<Value: Sendable>: Sendable {
    private struct State {
        /// Nil where it is closed.
        var value: Value?
        var lastID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let loop: EventLoop

    /// - Parameter loop: Bounds the waiting.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Gives everybody the value, from now on. False, and nothing is done, where it is open already.
    package func open(_ value: Value) -> Bool {
        let isFirst = state.withLock { state in
            guard state.value == nil else { return false }
            state.value = value
            return true
        }
        if isFirst { refuse() }
        return isFirst
    }

    /// Whoever comes from now on waits again.
    package func close() { state.withLock { $0.value = nil } }

    /// Sends those who wait away: it will not begin now.
    package func refuse() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Open while `work` runs. False, and nothing is done, where it is open already.
    package func runAlone(_ value: Value, _ work: () async -> Void) async -> Bool {
        guard open(value) else { return false }
        await work()
        close()
        return true
    }

    /// The value, if it is there within the limit.
    package func wait(within limit: Duration) async -> Value? {
        let (value, id) = state.withLock { state in
            state.lastID += 1
            return (state.value, state.lastID)
        }
        if let value { return value }
        await withCheckedContinuation { continuation in
            // Looked at and registered at once, and before the deadline can come: neither finds nobody to wake.
            let isOpen = state.withLock { state in
                if state.value == nil { state.waiters[id] = continuation }
                return state.value != nil
            }
            guard !isOpen else { return continuation.resume() }
            loop.wait(until: .now + limit.bounded) { [weak self] in
                self?.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
            }
        }
        return state.withLock { $0.value }
    }
}
