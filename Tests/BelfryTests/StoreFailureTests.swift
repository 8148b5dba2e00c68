import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Stores that fail", .takesTurns)
struct StoreFailureTests {
    @Test("add throws and leaves nothing, in memory or in the store") func addFails() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("old", .after(.seconds(60))))
            store.failNextTransactions(4)
            let error = await expectError(.storeFailed) {
                try await world.center.add(.sample("x", .after(.seconds(1))))
            }
            #expect(error?.isTransient == true)
            await expectError(.storeFailed) { try await world.center.add(.sample("old", .after(.seconds(1)))) }
            await expectError(.storeFailed) { try await world.center.add(.sample("now")) }
            await expectError(.storeFailed) { _ = try await world.center.show(.sample("now")) }
            #expect(try await world.pendingIDs() == ["old"])
            #expect(try await world.center.nextFireDate() == World.start.addingTimeInterval(60))
            try await world.clock.advance(by: .seconds(120))
            #expect(world.deliveredIDs() == ["old"])
        }
    }

    @Test("A removal that can't be stored throws, and the request stays") func removeFails() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add([.sample("a", .after(.seconds(60))), .sample("shown")])
            try await world.clock.settle()
            store.failNextTransactions(2)
            await expectError(.storeFailed) { try await world.center.remove("a") }
            await expectError(.storeFailed) { try await world.center.removeDelivered(["shown"]) }
            #expect(world.shownIDs() == ["shown"])
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == ["shown", "a"])
        }
    }

    @Test("Due notices wait for the store, without a busy loop, and fire when it has recovered") func dueWaits()
        async throws
    {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add([.sample("tea", .after(.seconds(10))), .sample("beat", .every(.seconds(60)))])
            store.failTransactions()
            let wakes = world.clock.wakes
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.recorder.attempts == [])
            // At 1, 2, 4 … 60 s distance.
            #expect(world.clock.wakes - wakes < 70)
            #expect(store.failedTransactions < 70)
            store.succeed()
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == ["tea", "beat", "beat"])
            #expect(world.dues(of: "beat").allSatisfy { $0.truncatingRemainder(dividingBy: 60) == 0 })
        }
    }

    @Test("One failed commit pauses for a second, however many requests were in it") func pauseOnce() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("tea", .after(.seconds(1))))
            store.stallTransactions()
            async let blocked: Void = world.center.setCategories([])
            await store.waitUntilStalled()
            // These come together and share the next commit.
            let adds = await world.center.embedded.begin(20) { center, number in
                _ = try await center.add([.sample("\(number)", .after(.seconds(3_600)))], allOrNothing: true)
            }
            store.failNextTransactions(2)
            store.release()
            _ = try? await blocked
            for add in adds { await expectError(.storeFailed) { _ = try await add.value } }
            #expect(store.failedTransactions == 2)
            try await world.clock.advance(by: .seconds(2))
            #expect(world.deliveredIDs() == ["tea"])
        }
    }

    @Test("A call that fails keeps nothing from firing on time") func noPauseAfterCalls() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("tea", .after(.seconds(10))))
            for _ in 0..<10 {
                store.failNextTransactions()
                await expectError(.storeFailed) {
                    try await world.center.add(.sample("x", .after(.seconds(3_600))))
                }
                try await world.clock.advance(by: .seconds(1))
            }
            #expect(world.deliveredIDs() == ["tea"])
        }
    }

    @Test("While an outcome can't be stored, no other delivery begins, so that a crash repeats one only")
    func oneUnconfirmed() async throws {
        let store = FailingRequestStore(LastingStore())
        try await World.run(store: store) { world in
            let ids = ["a", "b", "c"]
            try await world.center.add(ids.map { .sample($0, .after(.seconds(10))) })
            world.recorder.stall()
            async let advanced: Void = world.clock.advance(by: .seconds(10))
            await world.recorder.waitUntilStalled()
            store.failTransactions()
            world.recorder.release()
            try await advanced
            #expect(world.deliveredIDs() == ["a"])
            // A caller that waits has one attempt.
            await expectError(.storeFailed) { _ = try await world.center.show(.sample("shown")) }
            try await world.clock.advance(by: .seconds(100))
            #expect(world.deliveredIDs() == ["a"])
            store.succeed()
            try await world.clock.advance(by: .seconds(100))
            #expect(world.deliveredIDs().sorted() == ids)
        }
    }

    /// A store in memory that behaves as if it outlived the process.
    private actor LastingStore: RequestStore {
        private let memory = MemoryRequestStore()

        func load() async throws(NoticeError) -> StoredState { try await memory.load() }
        func commit(_ changes: [StoreChange]) async throws(NoticeError) { try await memory.commit(changes) }
        func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
            try await memory.request(revision: revision)
        }
        func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
            try await memory.history(query)
        }
    }

    @Test("What the store missed of what happened is stored with the next commit") func factsLater() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            store.failNextTransactions()
            try await world.person(.open, on: "x")
            // The user's answer is not lost on the way to the app.
            #expect(await answers.next()?.requestID == "x")
            try await world.clock.advance(by: .seconds(2))
            #expect(try await world.history() == [.delivered, .responded])
            #expect(try await store.load().deliveries == [])
        }
    }

    @Test("A delivery that can't be confirmed in the store is not repeated while the process lives") func unconfirmed()
        async throws
    {
        let store = FailingRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("x", .after(.seconds(10))))
            world.recorder.stall()
            async let advanced: Void = world.clock.advance(by: .seconds(10))
            await world.recorder.waitUntilStalled()
            store.failTransactions()
            world.recorder.release()
            try await advanced
            try await world.clock.advance(by: .seconds(1_000))
            #expect(world.deliveredIDs() == ["x"])
            #expect(try await world.standingIDs() == ["x"])
        }
        // The next one can't know: shown again rather than lost, and marked.
        store.succeed()
        try await World.run(on: clock, store: store) { world in
            try await world.clock.settle()
            #expect(world.recorder.deliveries.map(\.isPossiblyRepeated) == [true])
        }
    }

    @Test("Facts that could not be stored have a last chance when the center stops") func lastChance() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            store.failNextTransactions()
            try await world.person(.dismiss, on: "x")
            #expect(try await store.load().deliveries.count == 1)
        }
        #expect(try await store.load().deliveries == [])
    }

    @Test("A store that can't be opened is an error of every call; the next call tries again") func loadFails()
        async throws
    {
        let store = FailingRequestStore()
        store.failLoading()
        let center = NoticeCenter(
            app: World.app,
            backend: RecorderBackend(),
            store: NoticeStore(store),
            clock: .manual(ManualTriggerClock())
        )
        await expectError(.storeFailed) { try await center.add(.sample("x")) }
        await expectError(.storeFailed) { _ = try await center.pending() }
        await expectError(.storeFailed) { _ = try await center.requestAuthorization() }
        store.succeed()
        try await center.add(.sample("x", .after(.seconds(60))))
        #expect(try await center.pending().map(\.id) == ["x"])
    }

    @Test("run throws where the store can't be opened, and running ends") func runWithoutStore() async throws {
        let store = FailingRequestStore()
        store.failLoading()
        await expectError(.storeFailed) {
            try await World.run(store: store) { world in _ = try await world.center.pending() }
        }
    }

    @Test("Content that can't be read when it is due is tried again") func readFails() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("x", .after(.seconds(10))))
            store.failReading()
            try await world.clock.advance(by: .seconds(12))
            #expect(world.recorder.attempts == [])
            store.succeed()
            try await world.clock.advance(by: .seconds(10))
            #expect(world.deliveredIDs() == ["x"])
        }
    }

    @Test("A caller that is canceled does not take the shared commit with it") func cancelledCaller() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            store.stallTransactions()
            async let blocked: Void = world.center.setCategories([])
            await store.waitUntilStalled()
            let adds = await world.center.embedded.begin(2) { center, number in
                _ = try await center.add([.sample("\(number)", .after(.seconds(60)))], allOrNothing: true)
            }
            adds[0].cancel()
            store.release()
            try await blocked
            for add in adds { try await add.value }
            #expect(Set(try await world.pendingIDs()) == ["0", "1"])
            // The category commit, and one for both.
            #expect(store.transactions.last?.count == 2)
        }
    }

    @Test("done means done: nobody is told before what they asked for is stored") func answersAfterCommit() async throws
    {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("x", .after(.seconds(60))))
            store.stallTransactions()
            let first = Task { try await world.center.remove("x") }
            await store.waitUntilStalled()
            // The second finds nothing to remove, but the first is not stored yet.
            let second = await world.center.embedded.begin(1) { center, _ in
                _ = try await center.remove(["x"], includingDelivered: false)
            }
            store.failNextTransactions()
            store.release()
            await expectError(.storeFailed) { _ = try await first.value }
            // The removal failed, so the second had something to remove after all.
            try await second[0].value
            #expect(try await world.pendingIDs() == [])
        }
    }
}
