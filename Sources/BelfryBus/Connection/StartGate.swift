import Dispatch
import Synchronization

/// What callers wait at until something has begun, for a bounded time. For the backends that work over a bus.
package final class StartGate: Sendable {
    private struct State {
        var isOpen = false
        var next: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private static let deadlines = DispatchQueue(label: "org.belfry.bus.start")

    package init() {}

    /// Lets everybody through, from now on.
    package func open() { wake { $0.isOpen = true } }
    /// Whoever comes from now on waits again.
    package func close() { state.withLock { $0.isOpen = false } }
    /// Sends those who wait away: it will not begin now.
    package func refuse() { wake { _ in } }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// True when it is open, within the limit.
    package func wait(within limit: Duration) async -> Bool {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let deadline = DispatchWorkItem {
            self.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
        defer { deadline.cancel() }
        await withCheckedContinuation { continuation in
            // Looked at and registered at once, and before the deadline can come: neither finds nobody to wake.
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters[id] = continuation }
                return state.isOpen
            }
            guard !isOpen else { return continuation.resume() }
            Self.deadlines.asyncAfter(deadline: .now() + .nanoseconds(Int(limit.nanoseconds)), execute: deadline)
        }
        return state.withLock { $0.isOpen }
    }
}
