import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("A place of a feed that comes back under its identifier, and is another one", .takesTurns)
struct ChangedRegionTests {
    @Test("Somewhere else it begins anew: nobody leaves where he never was") func elsewhere() async throws {
        try await RegionWorld.run { place in
            let source = ScriptedFeed([.place("a", at: 0, radius: 1_000, edge: .exit)])
            try await place.center.startMonitoring(source.feed())
            try await place.go([0, 100])
            source.places = [.place("a", at: 5_000, radius: 1_000, edge: .exit)]
            try await place.go([700, 800, 1_400])
            #expect(place.crossings() == [])
            try await place.go([5_000, 7_000])
            #expect(place.crossings() == [.left])
        }
    }

    @Test("With another dwell time it begins anew: the stay that had begun counts for nothing") func dwell()
        async throws
    {
        try await RegionWorld.run { place in
            let source = ScriptedFeed([.place("a", at: 1_000, radius: 1_000, dwell: .seconds(600))])
            try await place.center.startMonitoring(source.feed())
            try await place.go([-300, -200, 100])
            #expect(try await place.center.nextFireDate(of: "a") == place.clock.date.addingTimeInterval(600))
            source.places = [.place("a", at: 1_000, radius: 1_000, dwell: .seconds(60))]
            try await place.go(700)
            #expect(try await place.center.nextFireDate(of: "a") == nil)
            try await place.clock.advance(by: .seconds(3_600))
            #expect(place.crossings() == [])
        }
    }
}
