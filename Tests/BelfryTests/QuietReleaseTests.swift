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
}
