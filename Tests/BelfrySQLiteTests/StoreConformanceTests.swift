import Belfry
import BelfryTestSupport
import BelfryTesting
import Foundation
import StoreConformance
import Synchronization
import Testing

@testable import BelfrySQLite

@Suite("The SQLite store obeys every rule of stores", .takesTurns)
struct StoreConformanceTests {
    @Test("Every rule, reopened as after a crash, and a commit that fails at its last change")
    func conforms() async throws {
        let scratch = try TemporaryFolder()
        let number = Atomic(0)
        @Sendable func name() -> String { "store-\(number.add(1, ordering: .relaxed).newValue)" }
        let suite = RequestStoreConformance(
            reopen: { store in
                // The first one is still open, and says no farewell: another gets what lies on the disk.
                let old = try #require(store as? SQLiteRequestStore)
                let copy = name()
                try scratch.copyStore(URL(fileURLWithPath: old.folder).lastPathComponent, to: copy)
                let again = try await SQLiteRequestStore.open(in: scratch.path(copy))
                #expect(again.openingReport.damage == nil)
                return again
            },
            breakNextTransaction: { store in
                let store = try #require(store as? SQLiteRequestStore)
                store.failNextCommit { if case .dropContent = $0 { true } else { false } }
            }
        ) { try await SQLiteRequestStore.open(in: scratch.path(name())) }
        let report = await suite.runAll()
        try report.verify()
        #expect(report.skipped.isEmpty)
    }

    @Test("Responses of one instant come back in the order in which they came")
    func responsesOfOneInstant() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let ids = ["response 9", "response 10", "response 11"]
        try await store.commit(
            ids.map { id in
                .putResponse(
                    NoticeResponse(
                        id: id,
                        requestID: "tea",
                        deliveryID: "tea#1",
                        kind: .opened,
                        date: Date(timeIntervalSince1970: 1_800_000_000),
                        series: nil,
                        userInfo: [:],
                        activationToken: nil
                    )
                )
            }
        )
        #expect(try await store.load().responses.map(\.id) == ids)
    }

    @Test("A commit that fails at any of its changes leaves nothing behind, and the next one is stored")
    func failsAnywhere() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("first", 1), .line("first", 1)])
        let batch: [StoreChange] = [
            .put("a", 2), .line("a", 2), .removeRequest(revision: 1), .dropContent(revision: 1),
            .putAuthorization(.denied), .updateProgress(revision: 2, TriggerProgress(anchor: 9)),
        ]
        for index in batch.indices {
            store.failNextCommit { $0 == batch[index] }
            await #expect(throws: NoticeError.self) { try await store.commit(batch) }
            let state = try await store.load()
            #expect(state.pending.map(\.id) == ["first"])
            #expect(state.nextRevision == 2)
            #expect(state.authorization == nil)
            #expect(try await store.history(HistoryQuery()).count == 1)
        }
        try await store.commit(batch)
        #expect(try await store.load().pending.map(\.progress.anchor) == [9])
    }

    @Test("A caller that is canceled doesn't undo a commit")
    func outlivesCancellation() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.commit([.put("a", 1)])
        }
        try await task.value
        #expect(try await store.load().pending.count == 1)
    }
}

extension SQLiteRequestStore {
    /// The next change of which `isIt` is true fails, and its batch with it.
    nonisolated func failNextCommit(at isIt: @escaping @Sendable (StoreChange) -> Bool) {
        fault.withLock {
            $0 = { [weak self] change in
                guard isIt(change) else { return }
                self?.fault.withLock { $0 = nil }
                throw POSIXError(.EIO)
            }
        }
    }
}
