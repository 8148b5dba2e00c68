import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("A notice that quiet hours have released and that no server has shown yet", .takesTurns)
struct QuietReleaseTests {
    private static let nights = QuietHours([QuietHours.Period(from: "22:00", to: "07:00")])
    private static let hour = 3_600.0

    @Test("It is late since their end, over a restart and a reboot", arguments: [false, true])
    func lateness(isReboot: Bool) async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store) { world in
            try await world.center.setQuietHours(Self.nights)
            let due = DateTrigger(date: World.start.addingTimeInterval(Self.hour))
            try await world.center.add(.sample("a", due))
            world.recorder.failAll(with: NoticeError(.noServer, "Nobody there."))
            try await clock.advance(by: .seconds(7.5 * Self.hour))
            #expect(world.recorder.attempts.isEmpty == false)
        }
        if isReboot {
            try await clock.reboot(taking: .seconds(0.5 * Self.hour))
        } else {
            try await clock.advance(by: .seconds(0.5 * Self.hour))
        }
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            #expect(world.recorder.deliveries.map(\.late) == [.seconds(Self.hour)])
        }
    }

    @Test("A restart considers the quiet hours again, by the zone of the moment") func restartElsewhere() async throws {
        let store = MemoryRequestStore()
        // 23:00 in New York.
        let evening = World.start.addingTimeInterval(4 * Self.hour)
        let newYork = ManualTriggerClock(date: evening, zone: try .named("America/New_York"))
        try await World.run(on: newYork, store: store) { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add(.sample("a", .after(.seconds(60))))
            try await newYork.advance(by: .seconds(120))
            #expect(world.recorder.attempts.isEmpty)
        }
        // 8:30 in Berlin: 2:30 in New York, where the night goes on.
        let morning = World.start.addingTimeInterval(7.5 * Self.hour)
        let berlin = ManualTriggerClock(date: morning, zone: try .named("Europe/Berlin"))
        try await World.run(on: berlin, store: store) { world in
            try await berlin.settle()
            #expect(world.deliveredIDs() == ["a"])
        }
    }

    @Test("A deferral by a clock that was years ahead doesn't outlast the clock's correction") func clockAhead()
        async throws
    {
        let store = MemoryRequestStore()
        let ahead = ManualTriggerClock(
            date: World.start.addingTimeInterval(20 * 365 * 86_400 + 23 * Self.hour),
            zone: .utc
        )
        try await World.run(on: ahead, store: store) { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add(.sample("a", .after(.seconds(60))))
            try await ahead.advance(by: .seconds(120))
            #expect(world.recorder.attempts.isEmpty)
        }
        let noon = ManualTriggerClock(date: World.start.addingTimeInterval(12 * Self.hour), zone: .utc)
        try await World.run(on: noon, store: store) { world in
            try await noon.settle()
            #expect(world.deliveredIDs() == ["a"])
        }
    }
}
