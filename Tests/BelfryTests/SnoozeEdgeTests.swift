import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Snoozes that are too late, repeated, or of a series whose next element waits", .takesTurns)
struct SnoozeEdgeTests {
    private static let later = SnoozeChoice.after(.seconds(300))

    @Test("One that ended while the machine was off is missed if its misfire policy says so") func tooLate()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            var tea = NoticeRequest.sample("tea")
            tea.content.actions = [.snooze(Self.later)]
            tea.misfire = .deliver(within: .seconds(60))
            try await world.center.add(tea)
            try await clock.settle()
            try await world.person(.action(Self.later.actionID), on: "tea")
        }
        try await clock.reboot(taking: .seconds(600))
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            #expect(world.deliveredIDs() == [])
            #expect(try await world.history(of: "tea").last == .missed)
            #expect(try await world.pendingIDs() == [])
            let left = try await store.load().deliveries
            #expect(left == [])
        }
    }

    @Test("Snoozed again by the app, it comes once, and the earlier one leaves the store") func again() async throws {
        let store = MemoryRequestStore()
        try await World.run(store: store) { world in
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.center.add(.sample("tea"))
            try await world.clock.settle()
            try await world.person(.open, on: "tea")
            let answer = try #require(await answers.next())
            try await world.center.snooze(answer, for: .seconds(300))
            try await world.center.snooze(answer, for: .seconds(600))
            let kept = try await store.load().deliveries.count
            #expect(kept == 1)
            try await world.clock.advance(by: .seconds(599))
            #expect(world.shownIDs() == [])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == ["tea", "tea"])
        }
    }

    @Test("An element that waits for a server does not come while its series is snoozed") func waitingElement()
        async throws
    {
        try await World.run { world in
            var content = NoticeContent(title: "Mail")
            content.actions = [.snooze(.after(.seconds(1_000)))]
            try await world.center.add(NoticeSeries(id: "mail", content: content, spacing: .seconds(300), count: 2))
            try await world.clock.settle()
            let first = try #require(world.shownIDs().first)
            world.recorder.failAll(with: NoticeError(.noServer, "Nobody there."))
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.attempts.count == 2)
            try await world.person(.action(SnoozeChoice.after(.seconds(1_000)).actionID), on: first)
            world.recorder.succeed()
            try await world.clock.advance(by: .seconds(999))
            #expect(world.shownIDs() == [])
            try await world.clock.advance(by: .seconds(1))
            #expect(world.shownIDs() == [first])
            #expect(world.deliveredIDs() == [first, first])
        }
    }
}
