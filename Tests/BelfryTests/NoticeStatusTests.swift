import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("The states of a notice: everything that will still be shown is listed", .takesTurns)
struct NoticeStatusTests {
    private static let nights = QuietHours([QuietHours.Period(from: "22:00", to: "07:00")])
    private static let seven = World.start.addingTimeInterval(7 * 3_600)

    private static func at(_ seconds: Double) -> Date { World.start.addingTimeInterval(seconds) }

    @Test("What waits for the end of quiet hours is listed until it comes, counted, and its removal is told")
    func deferred() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add([.sample("a", .after(.seconds(1))), .sample("b", .after(.seconds(2)))])
            try await world.clock.advance(by: .seconds(60))
            let waiting = NoticeStatus.deferred(until: Self.seven, reason: .quietHours)
            let pending = try await world.center.pending()
            #expect(pending.map(\.id) == ["a", "b"])
            #expect(pending.map(\.state) == [waiting, waiting])
            #expect(pending.map(\.next) == [Self.seven, Self.seven])
            #expect(pending.map(\.nextFiring) == [nil, nil])
            #expect(waiting.kind == .deferred && waiting.next == Self.seven && waiting.reason == "quiet hours")
            #expect(await world.center.pendingCount() == 2)
            #expect(try await world.center.history(HistoryQuery(requestID: "a")).map(\.state) == [waiting])
            let report = try await world.center.remove(["a", "nobody"])
            #expect(
                report == NoticeCenter.RemovalReport(removed: [.init(id: "a", states: [waiting])], notFound: ["nobody"])
            )
            try await world.clock.advance(to: Self.seven)
            #expect(world.deliveredIDs() == ["b"])
            #expect(try await world.pendingIDs() == [])
            #expect(await world.center.pendingCount() == 0)
            #expect(try await world.center.delivered().map(\.state) == [.delivered(since: Self.seven)])
        }
    }

    @Test("Of a request that repeats both are listed: what waits, and its own next firing") func repeating()
        async throws
    {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add(.sample("beat", .every(.seconds(4 * 3_600))))
            try await world.clock.advance(by: .seconds(5 * 3_600))
            let pending = try await world.center.pending()
            let eight = Self.at(8 * 3_600)
            let states = [NoticeStatus.deferred(until: Self.seven, reason: .quietHours), .pending(next: eight)]
            #expect(pending.map(\.states) == [states])
            #expect(pending.map(\.next) == [Self.seven] && pending.map(\.nextFiring) == [eight])
            #expect(try await world.center.removeAll().removed == [.init(id: "beat", states: states)])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("What is tried again is in flight, with the date of the next attempt and why the last one failed")
    func retried() async throws {
        try await World.run { world in
            world.recorder.failAll(with: NoticeError(.noServer, "Nobody there."))
            try await world.center.add(.sample("x"))
            try await world.clock.advance(by: .seconds(1))
            let state = NoticeStatus.inFlight(nextAttempt: Self.at(3), reason: "Nobody there.")
            #expect(try await world.center.pending().map(\.state) == [state])
            #expect(try await world.center.pending().map(\.next) == [Self.at(3)])
            let first = NoticeStatus.inFlight(nextAttempt: Self.at(1), reason: "Nobody there.")
            #expect(try await world.center.history().map(\.state) == [first])
            #expect(try await world.center.remove("x").removed == [.init(id: "x", states: [state])])
            try await world.clock.advance(by: .seconds(600))
            #expect(try await world.history() == [.retrying, .removed])
        }
    }

    @Test("What the backend has comes first; its removal tells so when the backend is done with it") func inFlight()
        async throws
    {
        let (gate, begun) = (Gate(), Gate())
        let backend = ModelBackend { _, number, _ in
            begun.open()
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        try await NoticeCenter.onModel(backend, clock: ManualTriggerClock(date: World.start)) { center in
            try await center.add([.sample("later", .after(.seconds(60))), .sample("now")])
            await begun.wait()
            let states = try await center.pending().map(\.state)
            #expect(states == [.inFlight(), .pending(next: Self.at(60))])
            async let removal = center.remove(["now"])
            while await !center.embedded.isRemovalWaiting { await center.embedded.fence() }
            #expect(try await center.pending().map(\.id) == ["later"], "it was called off")
            gate.open()
            #expect(try await removal.removed == [.init(id: "now", states: [.inFlight()])])
            #expect(backend.withdrawn == ["1"])
        }
    }

    @Test("Put off by the user: until when; what waits for a region waits for no time")
    func otherStates() async throws {
        try await RegionWorld.run { place in
            let world = place.world
            var tea = NoticeRequest.sample("tea")
            tea.content.actions = [.snooze(.after(.seconds(300)))]
            try await world.center.add([tea, .place("home", at: 0)])
            try await world.clock.settle()
            try await world.person(.action(SnoozeChoice.after(.seconds(300)).actionID), on: "tea")
            let snoozed = NoticeStatus.snoozed(until: world.clock.date.addingTimeInterval(300))
            #expect(try await world.center.pending().map(\.state) == [snoozed, .pending(next: nil)])
            #expect(try await world.center.history(HistoryQuery(requestID: "tea")).map(\.state) == [nil, snoozed])
        }
    }

    @Test("A summary that waits is listed under its own identifier, with its own words") func summary() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            for id in ["a", "b"] {
                var request = NoticeRequest.sample(id, DateTrigger(date: Self.at(60)))
                request.content.thread = "inbox"
                request.content.summary = ThreadSummary(moreThan: 1, within: .seconds(60), title: "{count} messages")
                try await world.center.add(request)
            }
            try await world.clock.advance(by: .seconds(60))
            try await world.center.setQuietHours(nil)
            try await world.clock.settle()
            #expect(world.shownIDs() == ["belfry.summary:inbox"])
            // Its members' lines have their thread.
            let lines = try await world.center.history(HistoryQuery(thread: "inbox"))
            let everyone = try await world.center.history()
            #expect(lines == everyone)
            world.recorder.removeServer()
            try await world.clock.settle()
            var third = NoticeRequest.sample("c")
            third.content.thread = "inbox"
            third.content.summary = ThreadSummary(moreThan: 1, within: .seconds(60), title: "{count} messages")
            try await world.center.add(third)
            try await world.clock.settle()
            let pending = try await world.center.pending()
            #expect(pending.allSatisfy { $0.state.kind == .inFlight && $0.state.reason != nil })
        }
    }

    @Test("A removal names each element of a series, and is told apart from what is unknown") func series() async throws
    {
        try await World.run { world in
            let content = NoticeContent(title: "Mail")
            let series = NoticeSeries(
                id: "mail",
                content: content,
                first: Self.at(60),
                spacing: .seconds(60),
                count: 3
            )
            try await world.center.add(series)
            try await world.clock.advance(by: .seconds(60))
            let elements = (2...3).map { number in
                let due = Self.at(Double(number) * 60)
                let id = "mail@\(Int64(due.timeIntervalSince1970))"
                return NoticeCenter.RemovalReport.Removed(id: id, states: [.pending(next: due)])
            }
            let report = try await world.center.remove(["mail", elements[1].id])
            #expect(report == NoticeCenter.RemovalReport(removed: elements))
            #expect(try await world.center.remove("mail") == NoticeCenter.RemovalReport(notFound: ["mail"]))
            #expect(
                try await world.center.remove("mail", includingDelivered: true)
                    == NoticeCenter.RemovalReport(notFound: ["mail"])
            )
            #expect(world.shownIDs() == [])
        }
    }

    @Test("An earlier version's agent tells no states: they follow from the dates") func fromDates() throws {
        let request = NoticeRequest.sample("x", .every(.seconds(600)))
        let notice = PendingNotice(
            request: request,
            next: Self.at(300),
            fired: 1,
            snoozedUntil: Self.at(300),
            snoozeCount: 1,
            nextFiring: Self.at(600)
        )
        #expect(notice.states == [.snoozed(until: Self.at(300)), .pending(next: Self.at(600))])
        #expect(PendingNotice(request: request, next: nil, fired: 0).states == [.pending(next: nil)])
        let told = PendingNotice(
            request: request,
            next: Self.at(1),
            fired: 1,
            states: [
                .inFlight(nextAttempt: Self.at(1), reason: "Nobody there."),
                .deferred(until: Self.at(2), reason: .clockInDoubt),
            ]
        )
        for notice in [notice, told] {
            let read = try JSONDecoder().decode(PendingNotice.self, from: JSONEncoder().encode(notice))
            #expect(read == notice && read.states == notice.states)
        }
        // One that tells an empty list is taken for one that tells nothing.
        let encoded = String(decoding: try JSONEncoder().encode(notice), as: UTF8.self)
        let empty = try JSONDecoder().decode(
            PendingNotice.self,
            from: Data(("{\"told\":[]," + encoded.dropFirst()).utf8)
        )
        #expect(empty.states == notice.states && empty.state == .snoozed(until: Self.at(300)))
    }

    @Test("A preview goes on from what waits and from what is tried again") func simulated() throws {
        var run = try SimulatedRun(
            from: World.start,
            pending: [
                PendingNotice(
                    request: .sample("waits", DateTrigger(date: Self.at(-60))),
                    next: Self.seven,
                    fired: 1,
                    states: [.deferred(until: Self.seven, reason: .quietHours)]
                ),
                PendingNotice(
                    request: .sample("again", DateTrigger(date: Self.at(-60))),
                    next: Self.at(3),
                    fired: 1,
                    states: [.inFlight(nextAttempt: Self.at(3), reason: "Nobody there.")]
                ),
            ],
            zone: .utc
        )
        let shown = try run.run(until: Self.at(86_400), atMost: 10).shown
        #expect(shown.map(\.requestID) == ["again", "waits"])
        #expect(shown.map(\.date) == [World.start, Self.seven])
    }
}
