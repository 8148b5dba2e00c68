import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Entry, exit, dwell and accuracy", .takesTurns)
struct RegionCrossingTests {
    private let here = RegionWorld.region()

    private func both(_ dwell: Duration = .zero) -> LocationTrigger {
        LocationTrigger(region: here, edge: .both, dwell: dwell, repeats: true)
    }

    @Test("Entry is a fix inside the radius, however inaccurate") func entry() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", both())
            try await place.go([500, 102])
            #expect(place.crossings() == [])
            try await place.go(98, accuracy: 190)
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("Exit is a fix outside by more than its accuracy, and by more than 20 m") func exit() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", both())
            try await place.go(0)
            try await place.go(119, accuracy: 1)
            try await place.go(195, accuracy: 100)
            try await place.go(119, accuracy: nil)
            #expect(place.crossings() == [])
            try await place.go(122, accuracy: 1)
            #expect(place.crossings() == [.left])
            try await place.go([0, 300])
            try await place.go(0)
            try await place.go(205, accuracy: 100)
            #expect(place.crossings() == [.left, .entered, .left, .entered, .left])
        }
    }

    @Test("A fix that trembles on the border is one crossing") func trembling() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", both())
            try await place.go(500)
            for step in 0..<40 { try await place.go(step % 2 == 0 ? 95 : 105) }
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("Each edge fires its own crossings, once or each time") func edges() async throws {
        try await RegionWorld.run { place in
            for edge in CircularRegion.Edge.allCases {
                try await place.add("\(edge) once", LocationTrigger(region: here, edge: edge))
                try await place.add("\(edge) each", LocationTrigger(region: here, edge: edge, repeats: true))
            }
            try await place.go([500, 0, 500, 0, 500])
            #expect(place.crossings(of: "entry once") == [.entered])
            #expect(place.crossings(of: "entry each") == [.entered, .entered])
            #expect(place.crossings(of: "exit once") == [.left])
            #expect(place.crossings(of: "exit each") == [.left, .left])
            #expect(place.crossings(of: "both once") == [.entered])
            #expect(place.crossings(of: "both each") == [.entered, .left, .entered, .left])
            #expect(try await place.details(of: "exit once") == ["delivered: the region was left"])
            #expect(try await place.world.pendingIDs().count == 3)
        }
    }

    @Test("A fix that is worse than 200 m and than the radius doesn't count for the region, but for larger ones")
    func coarse() async throws {
        try await RegionWorld.run { place in
            try await place.add("small", LocationTrigger(region: here, edge: .both, repeats: true))
            try await place.add(
                "large",
                LocationTrigger(region: RegionWorld.region(radius: 3_000), edge: .both, repeats: true)
            )
            try await place.go(9_000)
            try await place.go(0, accuracy: 201)
            #expect(place.world.deliveredIDs() == ["large"])
            try await place.go(0, accuracy: 200)
            #expect(place.world.deliveredIDs() == ["large", "small"])
            // Beyond the large one's border, by more than its accuracy; the small one is not asked.
            try await place.go(6_500, accuracy: 3_001)
            #expect(place.world.deliveredIDs().count == 2)
            try await place.go(6_500, accuracy: 3_000)
            #expect(place.crossings(of: "large") == [.entered, .left])
            #expect(place.crossings(of: "small") == [.entered])
            let report = try await place.center.locationReport()
            #expect(report.coarse == 3 && report.accepted == 5 && report.inside == 1)
        }
    }

    @Test("A coarse fix is the first for the regions that it counts for, and for no others") func coarseFirst()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.add("small", LocationTrigger(region: here))
            try await place.add("large", LocationTrigger(region: RegionWorld.region(radius: 3_000)))
            try await place.go(9_000, accuracy: 2_000)
            try await place.add("later", LocationTrigger(region: RegionWorld.region(radius: 3_000)))
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["large"])
            try await place.go([9_000, 0])
            #expect(place.world.deliveredIDs() == ["large", "small", "later"])
        }
    }

    @Test("A stay counts from the crossing, and is over when its time is, without another fix") func dwell()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.add("a", both(.seconds(600)))
            try await place.go(500)
            try await place.clock.advance(by: .seconds(60))
            // The fix is a minute old: so is the crossing.
            try await place.go(0, ago: 60)
            let due = try await place.center.nextFireDate(of: "a")
            #expect(due == World.start.addingTimeInterval(600))
            try await place.clock.advance(by: .seconds(539))
            #expect(place.crossings() == [])
            try await place.clock.advance(by: .seconds(1))
            #expect(place.crossings() == [.entered])
            #expect(place.world.recorder.deliveries[0].late == .zero)
            try await place.clock.advance(by: .seconds(86_400))
            #expect(place.crossings() == [.entered])
            try await place.go(500)
            try await place.clock.advance(by: .seconds(600))
            #expect(place.crossings() == [.entered, .left])
        }
    }

    @Test("Who leaves before the time is over has not stayed; who was there long enough has, also if nothing said so")
    func dwellCancelled() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, dwell: .seconds(600), repeats: true))
            try await place.go([500, 0])
            try await place.clock.advance(by: .seconds(599))
            try await place.go(500)
            try await place.clock.advance(by: .seconds(3_600))
            #expect(place.crossings() == [])
            #expect(try await place.center.nextFireDate() == nil)
            // Out of the radius, and not by the cushion: still there.
            try await place.go(0)
            try await place.go(110)
            try await place.clock.advance(by: .seconds(600))
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("The time of a stay goes on over a restart and a reboot") func dwellRestart() async throws {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.add("a", LocationTrigger(region: here, dwell: .seconds(600)))
            try await place.add("b", LocationTrigger(region: here, edge: .exit, dwell: .seconds(900)))
            try await place.go([500, 0])
        }
        try await clock.reboot(taking: .seconds(400))
        try await RegionWorld.run(on: clock, store: store) { place in
            #expect(place.crossings() == [])
            try await clock.advance(by: .seconds(200))
            #expect(place.world.deliveredIDs() == ["a"])
            #expect(place.world.recorder.deliveries[0].late == .zero)
            try await place.go(500)
        }
        try await RegionWorld.run(on: clock, store: store) { place in
            try await clock.advance(by: .seconds(899))
            #expect(place.crossings() == [])
            try await clock.advance(by: .seconds(1))
            #expect(place.crossings() == [.left])
        }
    }

    @Test("A jump across the world is a fix like any other; the antimeridian is no border") func jumps() async throws {
        try await RegionWorld.run { place in
            try await place.add(
                "sydney",
                LocationTrigger(region: CircularRegion(latitude: -33.87, longitude: 151.21, radius: 500))
            )
            try await place.add(
                "date line",
                LocationTrigger(region: CircularRegion(latitude: 10, longitude: 179.999, radius: 1_000))
            )
            try await place.add(
                "pole",
                LocationTrigger(region: CircularRegion(latitude: 90, longitude: 0, radius: 1_000))
            )
            try await place.go(0)
            for (latitude, longitude) in [(-33.87, 151.21), (10, -179.999), (89.999, 77)] {
                place.position.report(latitude: latitude, longitude: longitude, accuracy: 5, date: place.clock.date)
                try await place.clock.settle()
            }
            #expect(place.world.deliveredIDs() == ["sydney", "date line", "pole"])
        }
    }
}
