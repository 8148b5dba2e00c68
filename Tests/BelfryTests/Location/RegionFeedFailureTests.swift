import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Sources of places that fail, and stores that fail under a feed", .takesTurns, .timeLimit(.minutes(5)))
struct RegionFeedFailureTests {
    private static let gone = NoticeError(.serverBusy, "The service is not there.")

    private func pending(_ place: RegionWorld) async throws -> [String] { try await place.world.pendingIDs().sorted() }

    private func problems(_ events: NoticeCenter.Events, until count: Int) async -> [NoticeError] {
        var told: [NoticeError] = []
        for await event in events {
            if case .error(let error) = event { told.append(error) }
            if told.count == count { break }
        }
        return told
    }

    @Test("A source that throws is told once, asked again later and later, and the old places stay") func throwing()
        async throws
    {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(RegionFeedTests.road())
            let events = await place.center.events()
            try await place.center.startMonitoring(source.feed())
            try await place.go(10_400)
            source.fail(Self.gone)
            try await place.go(12_400)
            #expect(source.questions.count == 2)
            #expect(try await pending(place) == ["s10", "s11", "s9"])
            #expect(try await place.center.monitoredFeeds().first?.error?.code == .feedUnavailable)
            for (index, delay) in [10.0, 20, 40, 80, 160, 320, 600, 600].enumerated() {
                try await place.clock.advance(by: .seconds(delay - 0.001))
                // Fixes don't hasten it.
                try await place.go(12_400 + Double(index))
                #expect(source.questions.count == 2 + index, "before \(delay) s")
                try await place.clock.advance(by: .milliseconds(1))
                #expect(source.questions.count == 3 + index, "after \(delay) s")
            }
            source.fail(nil)
            // Entered while it was not known.
            try await place.go([12_700, 13_000])
            try await place.clock.advance(by: .seconds(600))
            #expect(place.world.deliveredIDs() == ["s13"])
            #expect(try await pending(place) == ["s12", "s14"])
            #expect(try await place.center.monitoredFeeds().first?.error == nil)
            source.fail(Self.gone)
            try await place.go(20_000)
            let told = await problems(events, until: 2)
            #expect(told.map(\.code) == [.feedUnavailable, .feedUnavailable], "once for each time")
            #expect(told.first?.message.contains("The service is not there.") == true)
        }
    }

    @Test("One that never answers is given up after its time limit, and what it answers too late counts for nothing")
    func silent() async throws {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(RegionFeedTests.road())
            let events = await place.center.events()
            let gate = Gate()
            source.hold(gate)
            try await place.center.startMonitoring(source.feed(timeout: .milliseconds(500)))
            try await place.go(10_400)
            let told = await problems(events, until: 1)
            #expect(told.first?.code == .feedUnavailable)
            #expect(told.first?.message.contains("longer than 0.5 s") == true, "\(told)")
            gate.open()
            try await place.clock.settle()
            #expect(try await pending(place) == [])
            source.hold(nil)
            try await place.clock.advance(by: .seconds(10))
            #expect(try await pending(place) == ["s10", "s11", "s9"])
        }
    }

    @Test("The center ends while a source is being asked, and answers of an ended feed count for nothing")
    func ending()
        async throws
    {
        let (gate, source) = (Gate(), ScriptedFeed(RegionFeedTests.road()))
        let store = MemoryRequestStore()
        source.hold(gate)
        try await RegionWorld.run(store: store) { place in
            try await place.center.startMonitoring(source.feed())
            place.position.report(RegionWorld.fix(10_400, at: place.clock.date))
            await source.waitUntilAsked(since: 0)
            try await place.center.stopMonitoring("stories")
            try await place.center.startMonitoring(source.feed("second"))
            place.position.report(RegionWorld.fix(10_401, at: place.clock.date))
            await source.waitUntilAsked(since: 1)
        }
        gate.open()
        #expect(try await store.load().pending.isEmpty)
    }

    @Test("An answer that can't be stored changes nothing; the source is asked again when the store takes something")
    func commitFails() async throws {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            let source = ScriptedFeed(RegionFeedTests.road())
            try await place.center.startMonitoring(source.feed())
            try await place.go([10_400, 11_000])
            #expect(place.world.deliveredIDs() == ["s11"])
            store.failTransactions()
            try await place.go(13_000)
            #expect(try await pending(place) == ["s10", "s12"])
            #expect(place.world.deliveredIDs() == ["s11"])
            store.succeed()
            try await place.clock.advance(by: .seconds(120))
            #expect(try await pending(place) == ["s12", "s14"])
            #expect(place.world.deliveredIDs() == ["s11", "s13"])
            try await place.go([12_500, 13_000])
            #expect(place.world.deliveredIDs() == ["s11", "s13"])
        }
    }

    @Test("A feed whose start fails with the calls beside it is not monitored, and its source is not asked")
    func startFails() async throws {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            let (old, new) = (ScriptedFeed(RegionFeedTests.road()), ScriptedFeed(RegionFeedTests.road()))
            try await place.center.startMonitoring(old.feed())
            try await place.go(10_400)
            store.stallTransactions()
            async let blocked: Void = place.center.setCategories([])
            await store.waitUntilStalled()
            // These share the next transaction.
            let calls = await place.center.embedded.begin(3) { center, number in
                switch number {
                case 0: _ = try await center.add([.sample("x", .after(.seconds(60)))], allOrNothing: true)
                case 1: try await center.startMonitoring(new.feed())
                default: try await center.startMonitoring(new.feed("other"))
                }
            }
            store.failNextTransactions(2)
            store.release()
            _ = try? await blocked
            for call in calls { await expectError(.storeFailed) { try await call.value } }
            try await place.clock.settle()
            #expect(try await place.center.monitoredFeeds().map(\.id) == ["stories"])
            try await place.clock.advance(by: .seconds(2))
            try await place.go([11_500, 12_400])
            #expect(new.questions == [])
            #expect(old.questions.last == 12_400)
        }
    }

    @Test("Fixes that the store has not taken judge what comes in once") func waitingFixes() async throws {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            let often = NoticeRequest.place("often", at: 13_000, edge: .both, repeats: true)
            let source = ScriptedFeed(RegionFeedTests.road() + [often])
            try await place.center.startMonitoring(source.feed())
            try await place.go(10_400)
            store.failTransactions()
            try await place.go([11_000, 12_500, 13_000, 13_300])
            #expect(place.world.deliveredIDs() == [])
            store.succeed()
            try await place.clock.advance(by: .seconds(120))
            #expect(Set(place.world.deliveredIDs()) == ["s11", "s13", "often"])
            #expect(try await place.center.pending().first { $0.id == "often" }?.fired == 2)
        }
    }
}
