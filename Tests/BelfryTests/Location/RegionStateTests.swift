import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Regions and their state", .takesTurns)
struct RegionStateTests {
    private let here = RegionWorld.region()

    @Test("The first fix after add fires nothing: being inside already is no entry") func insideAlready() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here))
            try await place.go([10, 20, 0])
            #expect(place.crossings() == [])
            #expect(try await place.world.pendingIDs() == ["a"])
            // Only who has left enters.
            try await place.go([500, 50])
            #expect(place.crossings() == [.entered])
            #expect(try await place.world.pendingIDs() == [])
        }
    }

    @Test("Being outside at the first fix is no exit") func outsideAlready() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.go([500, 900])
            #expect(place.crossings() == [])
            try await place.go([0, 900])
            #expect(place.crossings() == [.entered, .left])
        }
    }

    @Test("A fix from before add is none: the first after it sets the state") func addedLater() async throws {
        try await RegionWorld.run { place in
            try await place.add("early", LocationTrigger(region: here))
            try await place.go(500)
            try await place.add("late", LocationTrigger(region: here))
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["early"])
            try await place.go([500, 0])
            #expect(place.world.deliveredIDs() == ["early", "late"])
        }
    }

    @Test("A request that takes the place of another begins anew") func replaced() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here))
            try await place.go(500)
            try await place.add("a", LocationTrigger(region: here))
            try await place.go(0)
            #expect(place.crossings() == [])
            try await place.go([500, 0])
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("A laptop that sleeps outside and wakes inside has entered, also in another process") func sleeps()
        async throws
    {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.add("home", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.add("far", LocationTrigger(region: RegionWorld.region(at: 5_000), edge: .exit))
            try await place.go(5_000)
            try await clock.suspend(for: .seconds(3_600))
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["home", "far"])
            try await place.go(5_000)
        }
        try await clock.reboot(taking: .seconds(60))
        try await RegionWorld.run(on: clock, store: store) { place in
            #expect(try await place.center.locationReport().inside == 0)
            try await place.go(0)
            #expect(place.crossings() == [.entered])
        }
        try await RegionWorld.run(on: clock, store: store) { place in
            #expect(try await place.center.locationReport().inside == 1)
            try await place.go(30)
            #expect(place.crossings() == [])
            try await place.go(5_000)
            #expect(place.crossings() == [.left])
        }
    }

    @Test("A request that was not judged before the process ended is judged in the next one") func notYetJudged()
        async throws
    {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.add("judged", LocationTrigger(region: here))
            try await place.go(500)
            try await place.add("new", LocationTrigger(region: here))
        }
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["judged"])
        }
    }

    @Test("An add that the store refused has been judged by no fix: the next one of its kind begins anew")
    func refusedAdd()
        async throws
    {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            try await place.add("a", LocationTrigger(region: here))
            store.failNextTransactions()
            await expectError(.storeFailed) { try await place.add("b", LocationTrigger(region: here)) }
            try await place.clock.advance(by: .seconds(60))
            try await place.go(500)
            try await place.add("b", LocationTrigger(region: here))
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["a"])
        }
    }

    @Test("A fix costs the store nothing where it changes nothing") func quietFixes() async throws {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            try await place.center.add(
                (0..<200).map { number in
                    NoticeRequest.sample(
                        "\(number)",
                        LocationTrigger(region: RegionWorld.region(at: Double(number) * 1_000))
                    )
                }
            )
            // One that is too rough for all of them judges none.
            let added = store.transactions.count
            try await place.go(500, accuracy: 5_000)
            #expect(store.transactions.count == added)
            try await place.go(500)
            let commits = store.transactions.count
            for step in 0..<100 { try await place.go(510 + Double(step % 7)) }
            #expect(store.transactions.count == commits)
            // A crossing writes of its own request alone.
            try await place.go(1_000)
            let written = store.transactions[commits].filter { if case .putPlace = $0 { true } else { false } }
            #expect(written.count == 0 && place.world.deliveredIDs() == ["1"])
        }
    }
}
