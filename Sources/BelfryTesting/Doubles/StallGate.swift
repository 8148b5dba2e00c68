import Belfry

/// A gate that stalls callers while it is closed.
final class StallGate: Sendable {
    private struct State {
        var isClosed = false
        var held: Set<UInt64> = []
        var lastID: UInt64 = 0

        /// Nil while the gate is open.
        mutating func hold() -> UInt64? {
            guard isClosed else { return nil }
            lastID += 1
            held.insert(lastID)
            return lastID
        }
    }

    private let state = AwaitedState(State())

    func close() { state.withLock { $0.isClosed = true } }

    /// Lets everybody pass, in the order in which they came.
    func open() { state.withLock { ($0.isClosed, $0.held) = (false, []) } }

    /// Returns true immediately if the gate is open, else when it opens; false if the task is canceled first.
    func pass() async -> Bool {
        guard let id = state.withLock({ $0.hold() }) else { return true }
        let hasPassed = await state.waitUnlessCancelled { !$0.held.contains(id) }
        if !hasPassed { state.withLock { _ = $0.held.remove(id) } }
        return hasPassed
    }

    /// Returns when so many are held up, or when the task is canceled.
    func waitUntilHeld(_ count: Int) async { _ = await state.waitUnlessCancelled { $0.held.count >= count } }
}
