import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Misfires wait for a clock that is in doubt, whatever happens meanwhile", .takesTurns)
struct ClockInDoubtTests {
    private static let later = SnoozeChoice.until(World.start.addingTimeInterval(3 * 86_400))

    /// A machine that starts ten days later by its clock, which nobody vouches for. Pending are a daily request, and a
    /// notice that was put off by three days.
    private static func doubtful(
        store: any RequestStore = MemoryRequestStore(),
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let clock = ManualTriggerClock(date: World.start)
        try await World.run(on: clock, store: store) { world in
            var tea = NoticeRequest.sample("tea")
            tea.content.actions = [.snooze(later)]
            let daily = CalendarTrigger(matching: DateFields(hour: 8), repeats: true)
            try await world.center.add([.sample("daily", daily), tea])
            try await clock.settle()
            try await world.person(.action(later.actionID), on: "tea")
        }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(10 * 86_400))
        try await World.run(on: clock, store: store, body)
    }

    @Test("A notice that was put off waits too, says why, and comes when the clock is synchronized") func snoozes()
        async throws
    {
        try await Self.doubtful { world in
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == [])
            let states = try await world.center.pending().map(\.state)
            let until = World.start.addingTimeInterval(10 * 86_400 + 120)
            #expect(states.allSatisfy { $0 == .deferred(until: until, reason: .clockInDoubt) }, "\(states)")
            #expect(Set(try await world.pendingIDs()) == ["daily", "tea"])
            #expect(await world.center.embedded.schedule.pendingCount == 2)
            world.clock.isSynchronized = true
            try await world.clock.advance(by: .seconds(5))
            #expect(Set(world.deliveredIDs()) == ["daily", "tea"])
        }
    }

    @Test("A change of zone lets nothing go") func zone() async throws {
        try await Self.doubtful { world in
            try await world.clock.changeZone(to: .named("Asia/Tokyo"))
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(61))
            #expect(Set(world.deliveredIDs()) == ["daily", "tea"])
        }
    }

    @Test("A clock that is put right lets go of what is not due by it, and of nothing else") func putRight()
        async throws
    {
        try await Self.doubtful { world in
            try await world.clock.set(wall: World.start.addingTimeInterval(86_400))
            #expect(world.deliveredIDs() == [])
            let tea = World.start.addingTimeInterval(3 * 86_400)
            #expect(try await world.center.nextFireDate(of: "tea") == tea)
            world.clock.isSynchronized = true
            try await world.clock.advance(by: .seconds(5))
            #expect(world.deliveredIDs() == ["daily"])
            try await world.clock.advance(to: tea)
            #expect(world.deliveredIDs().contains("tea"))
        }
    }

    @Test("A removal that could not be stored puts nothing back into a queue") func failedRemoval() async throws {
        let store = FailingRequestStore()
        try await Self.doubtful(store: store) { world in
            store.failNextTransactions()
            await expectError(.storeFailed) { try await world.center.remove("daily") }
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == [])
        }
    }

    // MARK: A second start

    private static let day = 86_400.0

    /// A machine that starts ten days ahead, and whose first process ends after 10 s. Pending are a daily request and
    /// one that fires in 20 days.
    private static func startedTwice(
        reboots: Bool = false,
        between: @escaping @Sendable (ManualTriggerClock) async throws -> Void = { _ in },
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            let daily = CalendarTrigger(matching: DateFields(hour: 8), repeats: true)
            try await world.center.add([.sample("daily", daily), .sample("later", .after(.seconds(20 * day)))])
            try await clock.advance(by: .seconds(60))
        }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(10 * day))
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(10))
            #expect(world.deliveredIDs() == [])
        }
        if reboots { try await clock.reboot(taking: .seconds(10)) }
        try await between(clock)
        try await World.run(on: clock, store: store, body)
    }

    /// 80 s after the requests were added, as far as anybody knows.
    private static let right = World.start.addingTimeInterval(80)

    @Test(
        "The next process waits for the rest of the two minutes, and after another boot anew",
        arguments: [false, true]
    )
    func secondStart(reboots: Bool) async throws {
        try await Self.startedTwice(reboots: reboots) { world in
            try await world.clock.advance(by: .seconds(109))
            #expect(world.deliveredIDs() == [])
            let state = try await world.center.pending().first { $0.id == "daily" }?.state
            if case .deferred(_, .clockInDoubt)? = state {} else { Issue.record("\(String(describing: state))") }
            try await world.clock.advance(by: .seconds(reboots ? 12 : 2))
            #expect(world.deliveredIDs() == ["daily"])
        }
    }

    @Test(
        "A clock that is put right in a later process leaves nothing missed and nothing early",
        arguments: [false, true]
    )
    func putRightLater(reboots: Bool) async throws {
        try await Self.startedTwice(reboots: reboots) { world in
            try await world.clock.set(wall: Self.right)
            world.clock.isSynchronized = true
            try await world.clock.advance(by: .seconds(10))
            #expect(world.deliveredIDs() == [])
            let later = try #require(try await world.center.nextFireDate(of: "later"))
            #expect(abs(later.timeIntervalSince(World.start.addingTimeInterval(20 * Self.day))) <= 60)
        }
    }

    @Test("So does one that is put right between two processes", arguments: [false, true])
    func putRightBetween(reboots: Bool) async throws {
        let putRight: @Sendable (ManualTriggerClock) async throws -> Void = { clock in
            try await clock.set(wall: Self.right)
            clock.isSynchronized = true
        }
        try await Self.startedTwice(reboots: reboots, between: putRight) { world in
            try await world.clock.advance(by: .seconds(10))
            #expect(world.deliveredIDs() == [])
            let later = try #require(try await world.center.nextFireDate(of: "later"))
            #expect(abs(later.timeIntervalSince(World.start.addingTimeInterval(20 * Self.day))) <= 60)
        }
    }

    @Test("A doubt that has ended is not taken up again") func ended() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("later", .after(.seconds(20 * Self.day))))
        }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(10 * Self.day))
        try await World.run(on: clock, store: store) { _ in try await clock.advance(by: .seconds(130)) }
        try await World.run(on: clock, store: store) { world in
            #expect(await world.center.embedded.schedule.clock.doubt == nil)
            // Nobody corrects an interval for a clock that is set when all was thought to be well.
            let next = try #require(try await world.center.nextFireDate(of: "later"))
            try await clock.set(wall: clock.date.addingTimeInterval(-5 * Self.day))
            #expect(try await world.center.nextFireDate(of: "later") == next.addingTimeInterval(-5 * Self.day))
        }
    }
}
