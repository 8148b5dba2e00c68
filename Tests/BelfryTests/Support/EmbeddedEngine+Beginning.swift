import Testing

@testable import Belfry

extension EmbeddedEngine {
    /// How many deliveries the backend may ever have in hand.
    var largestWindow: Int { deliveries.largestWindow }
    /// Whether a removal waits for the backend.
    var isRemovalWaiting: Bool { callers.hasRemovals }

    /// Begins calls one after the other and returns when each of them waits in the queue of a center whose store stalls.
    func begin(
        _ count: Int,
        _ call: @escaping @Sendable (isolated EmbeddedEngine, Int) async throws -> Void
    ) -> [Task<Void, any Error>] {
        let before = commits.count
        // On the center's own executor a call runs without a pause until it waits for its result.
        let calls = (0..<count).map { number in Task.immediate { try await call(self, number) } }
        #expect(commits.count == before + count)
        return calls
    }
}
