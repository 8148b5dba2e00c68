import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Many regions, none shared, and their hours", .takesTurns)
struct RegionHoursTests {
    private let here = RegionWorld.region()

    /// 2026-01-01 is a Thursday.
    private func at(_ hours: Double) -> Date { World.start.addingTimeInterval(hours * 3_600) }

    @Test("There is no cap: two thousand regions around one spot are entered together, in the order of adding")
    func noCap() async throws {
        try await RegionWorld.run { place in
            let ids = (0..<2_000).map { "place \($0)" }
            try await place.center.add(ids.map { .sample($0, LocationTrigger(region: here)) })
            try await place.go([500, 0])
            #expect(place.world.deliveredIDs() == ids)
            #expect(try await place.world.pendingIDs() == [])
            #expect(try await place.center.locationReport().demand == nil)
        }
    }

    @Test("Requests with the same region have each a state of their own") func notShared() async throws {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, repeats: true))
            try await place.add("b", LocationTrigger(region: here, repeats: true))
            try await place.go([500, 0])
            try await place.center.remove("a")
            try await place.add("c", LocationTrigger(region: here, repeats: true))
            try await place.go([10, 500, 0])
            #expect(place.world.deliveredIDs() == ["a", "b", "b", "c"])
        }
    }

    @Test("The window is matched on the local minute: hours 08..18 end at 18:59:59") func localMinute() async throws {
        for (hour, expected) in [(7.9999, 0), (8.0, 1), (18.9999, 1), (19.0, 0)] {
            try await RegionWorld.run(at: World.start) { place in
                let trigger = LocationTrigger(region: here, repeats: true, during: "Mon..Fri 08..18:*")
                try await place.add("a", trigger)
                try await place.go(500)
                try await place.clock.advance(to: at(hour))
                try await place.go(0)
                #expect(place.crossings().count == expected, "at \(hour)")
                // On a Saturday, never.
                try await place.go(500)
                try await place.clock.advance(to: at(48 + 12))
                try await place.go(0)
                #expect(place.crossings().count == expected)
            }
        }
    }

    @Test("A crossing out of its hours is over; a request that fires once waits for one in them") func outOfHours()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here, during: "08..18:*"))
            try await place.go([500, 0])
            try await place.clock.advance(to: at(9))
            try await place.go(10)
            #expect(place.crossings() == [])
            try await place.go([500, 0])
            #expect(place.crossings() == [.entered])
            #expect(try await place.world.pendingIDs() == [])
        }
    }

    @Test("With a dwell time it is the end of the stay that lies in the hours") func dwellInHours() async throws {
        try await RegionWorld.run { place in
            let trigger = LocationTrigger(region: here, dwell: .seconds(1_200), repeats: true, during: "08..18:*")
            try await place.add("a", trigger)
            try await place.go(500)
            try await place.clock.advance(to: at(7.8))
            try await place.go(0)
            try await place.clock.advance(to: at(18.8))
            #expect(place.crossings() == [.entered])
            try await place.go([500, 0])
            try await place.clock.advance(to: at(24))
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("The hours follow the system's zone, unless they name one") func zones() async throws {
        let west = try ZoneRules.named("Etc/GMT+5")
        try await RegionWorld.run { place in
            try await place.add("floats", LocationTrigger(region: here, repeats: true, during: "12:*"))
            try await place.add("named", LocationTrigger(region: here, repeats: true, during: "12:* UTC"))
            try await place.go(500)
            try await place.clock.advance(to: at(12.5))
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["floats", "named"])
            try await place.go(500)
            try await place.clock.changeZone(to: west)
            try await place.go([0, 500])
            #expect(place.world.deliveredIDs() == ["floats", "named", "named"])
            try await place.clock.advance(to: at(17.5))
            try await place.go(0)
            #expect(place.world.deliveredIDs() == ["floats", "named", "named", "floats"])
        }
    }

    @Test("Hours that can't be read, or that never come, are refused by add with the notation's own words")
    func refused() async throws {
        try await RegionWorld.run { place in
            let cases: [(String, NoticeError.Code, String)] = [
                ("never", .invalidNotation, "never"), ("25:*", .invalidNotation, "25"), ("", .invalidNotation, "empty"),
                ("*-02-30 *:*", .neverFires, "has no date"), ("2020-*-* *:*", .neverFires, "2020"),
            ]
            for (text, code, word) in cases {
                let error = await expectError(code) {
                    try await place.add("a", LocationTrigger(region: here, during: text))
                }
                #expect(error?.message.lowercased().contains(word) == true, "\(text): \(error?.message ?? "")")
            }
            let hint = try await place.center.add(.sample("a", LocationTrigger(region: here, during: "Mon..Fri")))
            #expect(hint.warnings.count == 1)
        }
    }

    @Test("An hour that occurs twice counts both times") func twice() async throws {
        let berlin = try ZoneRules.named("Europe/Berlin")
        // 2026-10-25 0:30 UTC is 2:30 in summer time, an hour later it is 2:30 again.
        let first = Date(timeIntervalSince1970: 1_792_888_200)
        try await RegionWorld.run(at: first.addingTimeInterval(-60), zone: berlin) { place in
            try await place.add("a", LocationTrigger(region: here, repeats: true, during: "02:30"))
            try await place.go(500)
            try await place.clock.advance(to: first)
            try await place.go([0, 500])
            try await place.clock.advance(by: .seconds(3_600))
            try await place.go([0, 500])
            #expect(place.crossings().count == 2)
        }
    }
}
