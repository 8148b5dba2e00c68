package import Belfry

/// The whole readable state of a store, for comparisons.
package struct StoreContents: Sendable, Equatable {
    package var state: StoredState
    package var requests: [Int64: NoticeRequest]
    package var history: [HistoryEntry]

    package init(_ store: any RequestStore) async throws {
        state = try await store.load()
        // In whatever order a store returns them.
        state.deliveries.sort { $0.id < $1.id }
        state.responses.sort { $0.id < $1.id }
        // About this opening, and not stored.
        state.errors = []
        requests = try await store.requests(revisions: state.pending.map(\.revision))
        history = try await store.history(HistoryQuery())
    }

    /// What must be there after so many batches of the workload.
    package static func after(_ count: Int, seed: UInt64) async throws -> StoreContents {
        let model = MemoryRequestStore()
        var workload = StoreWorkload(seed: seed)
        for _ in 0..<count { try await model.commit(workload.next()) }
        return try await StoreContents(model)
    }
}
