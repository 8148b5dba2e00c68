import Testing

@testable import Belfry

extension EmbeddedEngine {
    /// How many deliveries the backend may ever have in hand.
    var largestWindow: Int { deliveries.largestWindow }
    /// Whether a removal waits for the backend.
    var isRemovalWaiting: Bool { !deliveries.canceled.isEmpty }
    /// How many canceled deliveries the backend is not done with, and how many notices it has still to take down.
    var leftToBackend: Int { deliveries.canceled.count + deliveries.withdrawalCount - deliveries.withdrawnCount }
    /// How many callers wait for a condition that is looked at whenever something ends.
    var waiterCount: Int { waiters.count }

    /// Begins calls one after the other and returns when each of them waits in the queue of a center whose store
    /// stalls.
    func begin(
        _ count: Int,
        _ call: @escaping @Sendable (isolated EmbeddedEngine, Int) async throws -> Void
    ) async -> [Task<Void, any Error>] {
        let before = commits.count
        let calls = (0..<count).map { number in Task.immediate { try await call(self, number) } }
        // Each takes a turn or two of the center's thread until it waits for its result.
        for _ in 0..<100 where commits.count < before + count { await Task.yield() }
        #expect(commits.count == before + count)
        return calls
    }
}
