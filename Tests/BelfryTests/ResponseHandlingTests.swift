import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Testing

@Suite("Without a handler, a response is kept until a listener has handled it", .takesTurns, .timeLimit(.minutes(5)))
struct ResponseHandlingTests {
    /// A store with responses to notices of these names, which nobody has received.
    private static func store(_ ids: [String], on clock: ManualTriggerClock) async throws -> MemoryRequestStore {
        let store = MemoryRequestStore()
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(ids.map { .sample($0) })
            try await world.clock.settle()
            for id in ids { try await world.person(.open, on: id) }
        }
        return store
    }

    private static func kept(in store: MemoryRequestStore) async -> [String]? {
        try? await store.load().responses.map(\.requestID)
    }

    private static func run(
        _ body: @escaping @Sendable (NoticeCenter, MemoryRequestStore) async throws -> Void
    ) async throws {
        let clock = ManualTriggerClock(date: World.start)
        let store = try await Self.store(["a", "b", "c"], on: clock)
        try await World.run(on: clock, store: store) { try await body($0.center, store) }
    }

    @Test("Of three, the first one is taken; the other two come after a restart") func firstOfThree() async throws {
        let clock = ManualTriggerClock(date: World.start)
        let store = try await Self.store(["a", "b", "c"], on: clock)
        try await World.run(on: clock, store: store) { world in
            let first = await world.center.responses().first { _ in true }
            #expect(first?.requestID == "a")
        }
        #expect(await Self.kept(in: store) == ["b", "c"])
        try await World.run(on: clock, store: store) { world in
            var left: [String] = []
            for await response in await world.center.responses() {
                left.append(response.requestID)
                if left.count == 2 { break }
            }
            #expect(left == ["b", "c"])
        }
        #expect(await Self.kept(in: store) == [])
    }

    @Test("It stays in the store while it is handled, and goes when the next one is asked for") func nextAcknowledges()
        async throws
    {
        try await Self.run { center, store in
            var responses = await center.responses().makeAsyncIterator()
            for left in [["a", "b", "c"], ["b", "c"], ["c"]] {
                #expect(await responses.next()?.requestID == left.first)
                await center.quiet()
                #expect(await Self.kept(in: store) == left)
            }
        }
    }

    @Test("Asked one after the other, each listener gets what the one before has left") func oneByOne() async throws {
        try await Self.run { center, _ in
            for id in ["a", "b", "c"] {
                let response = await center.responses().first { _ in true }
                #expect(response?.requestID == id)
            }
        }
    }

    @Test("One that came later gets what the other has left unread") func twoListeners() async throws {
        try await Self.run { center, store in
            var early: NoticeCenter.Responses? = await center.responses()
            var late = await center.responses().makeAsyncIterator()
            let first = await early?.first { _ in true }
            #expect(first?.requestID == "a")
            early = nil
            #expect(await late.next()?.requestID == "b")
            #expect(await late.next()?.requestID == "c")
            await center.quiet()
            #expect(await Self.kept(in: store) == ["c"])
        }
    }

    @Test("A handler that is set later gets what no listener has in hand") func handlerComesLater() async throws {
        try await Self.run { center, store in
            var early: NoticeCenter.Responses? = await center.responses()
            let first = await early?.first { _ in true }
            #expect(first?.requestID == "a")
            let handler = TestDelegate()
            await center.setDelegate(handler)
            await center.quiet()
            #expect(await handler.received.value == [])
            early = nil
            await center.quiet()
            #expect(await handler.received.value.map(\.requestID) == ["b", "c"])
            #expect(await Self.kept(in: store) == [])
        }
    }

    @Test("More than a thousand that nobody has received all come") func many() async throws {
        let clock = ManualTriggerClock(date: World.start)
        let ids = (0..<1_100).map { "r\($0)" }
        let store = try await Self.store(ids, on: clock)
        try await World.run(on: clock, store: store) { world in
            var received: [String] = []
            for await response in await world.center.responses() {
                received.append(response.requestID)
                if received.count == ids.count { break }
            }
            #expect(received == ids)
        }
        #expect(await Self.kept(in: store) == [])
    }
}
