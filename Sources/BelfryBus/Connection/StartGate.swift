package import BelfryLoop
import Synchronization

/// A gate that callers wait at, for a bounded time, until a value is available. For backends that work over a bus,
/// which a center starts at the same time as its deliveries.
package final class StartGate<Value: Sendable>: Sendable {
    private struct State {
        /// Nil while the gate is closed.
        var value: Value?
        var lastID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state = Mutex(State())
    private let loop: EventLoop

    /// - Parameter loop: Runs the timeouts.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Opens the gate with a value for current and later callers. Returns false and does nothing if it is already open.
    package func open(_ value: Value) -> Bool {
        let isFirst = state.withLock { state in
            guard state.value == nil else { return false }
            state.value = value
            return true
        }
        if isFirst { endWaits(with: value) }
        return isFirst
    }

    /// Closes the gate: later callers wait again.
    package func close() { state.withLock { $0.value = nil } }

    /// Ends the waits of all current callers without a value.
    package func refuse() { endWaits(with: nil) }

    private func endWaits(with value: Value?) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Keeps the gate open while `work` runs. Returns false and does nothing if it is already open.
    package func runAlone(_ value: Value, _ work: () async -> Void) async -> Bool {
        guard open(value) else { return false }
        await work()
        close()
        return true
    }

    /// Returns the value, or nil if there is none within the timeout.
    package func wait(within limit: Duration) async -> Value? {
        if let value = state.withLock({ $0.value }) { return value }
        return await withCheckedContinuation { continuation in
            // Check and register under one lock, before the timeout is set: neither `open` nor the timeout can miss
            // this.
            let (value, id) = state.withLock { state in
                state.lastID += 1
                if state.value == nil { state.waiters[state.lastID] = continuation }
                return (state.value, state.lastID)
            }
            if let value { return continuation.resume(returning: value) }
            loop.wait(until: .now + limit.bounded) { [weak self] in
                self?.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
            }
        }
    }
}
