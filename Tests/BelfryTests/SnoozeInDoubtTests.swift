import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("A snooze of some days over a reboot whose clock is wrong", .takesTurns)
struct SnoozeInDoubtTests {
    private static let day = 86_400.0
    private static let later = SnoozeChoice.after(.seconds(3 * day))

    /// A machine that starts ten days later by its clock, which nobody vouches for. A notice is snoozed for three days.
    private static func doubtful(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            var tea = NoticeRequest.sample("tea")
            tea.content.actions = [.snooze(later)]
            try await world.center.add(tea)
            try await clock.settle()
            try await world.person(.action(later.actionID), on: "tea")
        }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(10 * day))
        try await World.run(on: clock, store: store, body)
    }

    @Test("A clock that is put right to a day later leaves two days of it") func putRight() async throws {
        try await Self.doubtful { world in
            try await world.clock.set(wall: World.start.addingTimeInterval(Self.day))
            let end = World.start.addingTimeInterval(3 * Self.day)
            #expect(try await world.center.nextFireDate(of: "tea") == end)
            world.clock.isSynchronized = true
            try await world.clock.advance(to: end.addingTimeInterval(-1))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["tea"])
        }
    }

    @Test("A clock that is put to before the snooze makes it no longer than it was") func setBack() async throws {
        try await Self.doubtful { world in
            let earlier = World.start.addingTimeInterval(-5 * Self.day)
            try await world.clock.set(wall: earlier)
            let end = earlier.addingTimeInterval(3 * Self.day)
            #expect(try await world.center.nextFireDate(of: "tea") == end)
        }
    }

    @Test("A clock that was right after all ends it at once") func wasRight() async throws {
        try await Self.doubtful { world in
            #expect(world.deliveredIDs() == [])
            world.clock.isSynchronized = true
            try await world.clock.advance(by: .seconds(5))
            #expect(world.deliveredIDs() == ["tea"])
        }
    }
}
