import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Summary: many notices of one thread become one", .takesTurns)
struct SummaryTests {
    private static func request(_ id: String, after seconds: Int? = nil, thread: String = "inbox", within: Int = 60)
        -> NoticeRequest
    {
        var request = NoticeRequest.sample(id, seconds.map { .after(.seconds($0)) })
        request.content.thread = thread
        request.content.summary = ThreadSummary(
            moreThan: 2,
            within: .seconds(within),
            title: "{count} new messages",
            translations: ["de": .init(title: "{count} neue Nachrichten")]
        )
        return request
    }

    private func add(_ requests: [NoticeRequest], to world: World) async throws {
        for request in requests {
            try await world.center.add(request)
            await world.center.quiet()
        }
    }

    @Test("Those on the screen go, one tells how many there are, and is kept up to date in place") func becomesOne()
        async throws
    {
        try await World.run { world in
            try await add(["a", "b"].map { Self.request($0) }, to: world)
            #expect(world.shownIDs() == ["a", "b"])
            try await add([Self.request("other", thread: "elsewhere"), Self.request("c")], to: world)
            let id = "belfry.summary:inbox"
            #expect(world.shownIDs() == ["other", id])
            #expect(world.recorder.shown.last?.delivery.content.title == "3 new messages")
            let handle = world.recorder.shown.last?.receipt.handle
            try await add([Self.request("d"), Self.request("a")], to: world)
            #expect(world.shownIDs() == ["other", id])
            #expect(world.recorder.shown.last?.delivery.content.title == "4 new messages", "a has come before")
            #expect(world.recorder.shown.last?.receipt.handle == handle)
            #expect(try await world.history(of: "a") == [.delivered, .closed, .suppressed])
            #expect(try await world.history(of: "c") == [.suppressed])
            #expect(try await world.lastDetail(of: "d", .suppressed) == "one of 4 in the summary of 'inbox'")
            #expect(try await world.center.delivered().map(\.content.title) == ["Notice other", "4 new messages"])
            // It is over when it has left the screen.
            try await world.person(.dismiss, on: id)
            try await add([Self.request("e")], to: world)
            #expect(world.shownIDs() == ["other", "e"])
        }
    }

    @Test("Two firings of one request that are both on their way go into the summary together")
    func twoFirings() throws {
        var now = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 0)
        var schedule = Schedule(zone: .utc, at: now)
        _ = schedule.handle(.started, at: now)
        var tick = Self.request("tick", within: 600)
        tick.trigger = .every(.seconds(60))
        _ = try schedule.change(at: now) { try $0.add([tick]) }
        for _ in 0..<2 {
            now = TriggerInstant(wall: now.wall + 60_000_000, boot: now.boot + 60_000_000)
            _ = schedule.handle(.woke, at: now)
        }
        _ = try schedule.change(at: now) { try $0.add(["b", "c"].map { Self.request($0, within: 600) }) }
        _ = schedule.handle(.woke, at: now)
        #expect(schedule.notices["tick"]?.underWay?.wanted == nil)
        #expect(schedule.notices["belfry.summary:inbox"] != nil)
    }

    @Test("A summary without text is refused, as a notice without text is", arguments: ["", " \n"])
    func withoutText(_ title: String) async throws {
        try await World.run { world in
            var request = Self.request("a")
            request.content.summary?.title = title
            await expectError(.emptyContent) { [request] in try await world.center.add(request) }
            request.content.summary?.body = "{count} new messages"
            try await world.center.add(request)
        }
    }

    @Test("It goes when the app takes down all of its notices", arguments: [false, true])
    func takenDown(isRemoval: Bool) async throws {
        try await World.run { world in
            let ids = ["a", "b", "c", "d"]
            try await add(ids.map { Self.request($0) }, to: world)
            try await world.center.removeDelivered(["a", "b", "c"])
            #expect(world.shownIDs() == ["belfry.summary:inbox"])
            if isRemoval {
                try await world.center.remove(ids, includingDelivered: true)
            } else {
                try await world.center.removeDelivered(ids)
            }
            #expect(world.shownIDs() == [])
        }
    }

    @Test("Taking its notices down leaves a snoozed one alone") func takenDownSnoozed() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            let ids = ["a", "b", "c"]
            try await add(ids.map { Self.request($0) }, to: world)
            try await world.person(.open, on: "belfry.summary:inbox")
            try await world.center.snooze(try #require(await answers.next()), for: .seconds(300))
            try await world.center.removeDelivered(ids)
            #expect(try await world.pendingIDs() == ["belfry.summary:inbox"])
        }
    }

    @Test("Every line of the history has the thread that it is about") func threads() async throws {
        try await World.run { world in
            try await add(["a", "b", "c", "d"].map { Self.request($0) }, to: world)
            try await world.center.removeAllDelivered()
            let lines = try await world.center.history()
            #expect(lines.filter { $0.outcome == .suppressed }.count == 2)
            #expect(lines.allSatisfy { $0.thread == "inbox" }, "\(lines.filter { $0.thread != "inbox" })")
        }
    }

    @Test("Slower than that, or without being asked to, each is shown; what was answered is no new one") func shown()
        async throws
    {
        try await World.run { world in
            try await world.center.add((0..<5).map { Self.request("slow \($0)", after: 1 + $0 * 31) })
            try await world.clock.advance(by: .seconds(300))
            #expect(world.shownIDs().count == 5)
            for id in ["a", "b", "c", "d"] {
                try await add([Self.request(id, thread: "t")], to: world)
                try await world.person(.open, on: id)
            }
            #expect(!world.deliveredIDs().contains { $0.hasPrefix("belfry.summary") })
            var critical = Self.request("critical")
            critical.content.level = .critical
            try await add(["1", "2", "3"].map { Self.request($0) } + [critical], to: world)
            #expect(world.shownIDs().suffix(2) == ["belfry.summary:inbox", "critical"])
        }
    }

    @Test("A notice that has become critical stays on the screen, also over a restart") func becomesCritical()
        async throws
    {
        var critical = Self.request("door", within: 3_600)
        critical.content.level = .critical
        var escalating = Self.request("door", within: 3_600)
        escalating.trigger = .every(.seconds(60))
        escalating.escalation = [NoticeSeries.EscalationStep(from: 2, level: .critical)]
        var elsewhere = Self.request("door", thread: "elsewhere", within: 3_600)
        elsewhere.content.summary = nil
        for requests in [
            [Self.request("door"), critical], [escalating], [critical], [Self.request("door"), elsewhere],
        ] {
            let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
            let (recorder, isFirst) = (RecorderBackend(), requests.count > 1)
            try await World.run(on: clock, store: store, recorder: recorder) { world in
                try await add(requests, to: world)
                try await clock.advance(by: .seconds(125))
                if isFirst { try await add(["x", "y"].map { Self.request($0, within: 3_600) }, to: world) }
                #expect(world.shownIDs().contains("door"))
                #expect(try await world.history(of: "door").contains(.closed) == false)
            }
            guard !isFirst else { continue }
            try await World.run(on: clock, store: store, recorder: recorder) { world in
                try await add(["x", "y", "z"].map { Self.request($0, within: 3_600) }, to: world)
                #expect(world.shownIDs().contains("belfry.summary:inbox"))
                #expect(try await world.center.delivered().map(\.requestID).contains("door"))
            }
        }
    }

    @Test("The removal of its notices removes a summary that is not on the screen yet", arguments: [false, true])
    func removedBefore(includingDelivered: Bool) async throws {
        try await World.run { world in
            world.recorder.failAll(with: NoticeError(.noServer, "Nobody there."))
            try await add(["a", "b", "c"].map { Self.request($0) }, to: world)
            #expect(try await world.pendingIDs() == ["belfry.summary:inbox"])
            let part = try await world.center.remove(["a", "b"], includingDelivered: includingDelivered)
            #expect(part.notFound == ["a", "b"])
            var again = Self.request("a", within: 1)
            again.trigger = .every(.seconds(9_000))
            try await world.center.add(again)
            let ids = ["a", "b", "c", "d"]
            let report = try await world.center.remove(ids, includingDelivered: includingDelivered)
            #expect(report.removed.map(\.id) == ["a", "b", "c"] && report.notFound == ["d"])
            #expect(report.removed.map(\.states.count) == [2, 1, 1])
            try await world.center.add(
                NoticeSeries(
                    id: "m",
                    content: Self.request("m", within: 3_600).content,
                    spacing: .seconds(60),
                    count: 3
                )
            )
            try await world.clock.advance(by: .seconds(150))
            #expect(try await world.pendingIDs() == ["belfry.summary:inbox"])
            let elements = try await world.center.remove("m", includingDelivered: includingDelivered)
            #expect(elements.removed.count == 3 && elements.notFound == [])
            #expect(try await world.pendingIDs() == [])
            world.recorder.succeed()
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == [])
        }
    }

    @Test("An answer to it is told with the thread, and ends what answers to its notices would end") func answered()
        async throws
    {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            var content = Self.request("x").content
            content.level = .timeSensitive
            for base in ["m1", "m2"] {
                try await world.center.add(
                    NoticeSeries(id: base, content: content, spacing: .seconds(300), count: 5)
                )
            }
            try await world.center.add(.untilAnswered(id: "again", content: content, every: .seconds(120)))
            try await world.center.add(.sample("apart", .after(.seconds(9_000))))
            try await world.clock.settle()
            let id = "belfry.summary:inbox"
            #expect(world.shownIDs() == [id])
            #expect(world.recorder.shown.first?.delivery.content.level == .timeSensitive)
            try await world.person(.open, on: id)
            let answer = try #require(await answers.next())
            #expect(answer.requestID == id && answer.thread == "inbox" && answer.kind == .opened)
            #expect(try await world.pendingIDs() == ["apart"])
            #expect(world.shownIDs() == [])
        }
    }

    @Test("A summary that was snoozed takes the place of no newer one") func snoozed() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            let id = "belfry.summary:inbox"
            try await add(["a", "b", "c"].map { Self.request($0) }, to: world)
            try await world.person(.open, on: id)
            let answer = try #require(await answers.next())
            try await world.center.snooze(answer, for: .seconds(300))
            try await add(["d", "e", "f", "g"].map { Self.request($0) }, to: world)
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["4 new messages"])
            #expect(try await world.center.pending().isEmpty)
            #expect(try await world.lastDetail(of: id, .replaced) == "a newer summary of its thread took its place")
            // Alone it comes back.
            try await world.person(.open, on: id)
            try await world.center.snooze(try #require(await answers.next()), for: .seconds(300))
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["4 new messages"])
        }
    }

    @Test("The removal of a newer summary's notices leaves a snoozed one alone") func removedBesideSnoozed()
        async throws
    {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            let id = "belfry.summary:inbox"
            try await add(["a", "b", "c"].map { Self.request($0) }, to: world)
            try await world.person(.open, on: id)
            try await world.center.snooze(try #require(await answers.next()), for: .seconds(300))
            try await add(["d", "e", "f"].map { Self.request($0) }, to: world)
            #expect(try await world.center.remove(["d", "e", "f"]).notFound == ["d", "e", "f"])
            try await world.person(.dismiss, on: id)
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["3 new messages"])
            #expect(world.recorder.shown.first?.delivery.snoozeCount == 1)
        }
    }

    @Test("A locked screen shows no more of it than of the newest notice") func privacy() async throws {
        try await World.run { world in
            let requests = ["a", "b", "c"].map { id in
                var request = Self.request(id)
                request.content.desktop.privacy = .hidden
                return request
            }
            try await add(requests, to: world)
            #expect(world.shownIDs() == ["belfry.summary:inbox"])
            #expect(world.recorder.shown.first?.delivery.content.desktop.privacy == .hidden)
        }
    }

    @Test("What was not shown doesn't count") func suppressed() async throws {
        try await World.run { world in
            await world.center.setDelegate(
                TestDelegate(present: { delivery in
                    delivery.requestID.hasPrefix("hidden") ? .suppress(reason: "its chat is open") : .present
                })
            )
            world.recorder.failNext(with: NoticeError(.rejected, "No."))
            try await add(["failed", "hidden 1", "hidden 2", "hidden 3"].map { Self.request($0) }, to: world)
            try await add(["a", "b"].map { Self.request($0) }, to: world)
            #expect(world.shownIDs() == ["a", "b"])
            try await add([Self.request("c")], to: world)
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["3 new messages"])
        }
    }

    @Test("It goes on after a restart, in the language of the moment") func restart() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        let recorder = RecorderBackend()
        try await World.run(on: clock, store: store, recorder: recorder) { world in
            try await add(["a", "b", "c"].map { Self.request($0) }, to: world)
        }
        try await World.run(on: clock, store: store, recorder: recorder) { world in
            #expect(try await world.center.delivered().map(\.content.title) == ["3 new messages"])
            var request = Self.request("d")
            request.languages = ["de"]
            try await add([request], to: world)
            #expect(recorder.deliveries.last?.content.title == "4 neue Nachrichten")
            try await world.center.removeAllDelivered()
            #expect(try await store.load().deliveries == [])
            // What stood before the restart counts for the next one.
            try await add(["e", "f"].map { Self.request($0) }, to: world)
        }
        try await World.run(on: clock, store: store, recorder: recorder) { world in
            try await add([Self.request("g")], to: world)
            #expect(recorder.deliveries.last?.content.title == "3 new messages")
        }
    }

    @Test("What has waited for the end of quiet hours comes as one") func afterQuietHours() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "22:00", to: "07:00")]))
            try await world.center.add((0..<4).map { Self.request("\($0)", after: 3_600 * (1 + $0)) })
            try await world.clock.advance(by: .seconds(7 * 3_600))
            #expect(world.shownIDs() == ["belfry.summary:inbox"])
            #expect(world.recorder.shown.last?.delivery.content.title == "4 new messages")
        }
    }

    @Test("One that makes no sense is refused") func refused() async throws {
        try await World.run { world in
            for summary in [
                ThreadSummary(moreThan: 0, within: .seconds(1), title: "t"),
                ThreadSummary(moreThan: 1, within: .zero, title: "t"),
            ] {
                var request = Self.request("x")
                request.content.summary = summary
                await expectError(.invalidContent) { [request] in try await world.center.add(request) }
            }
        }
    }

    @Test("A summary of nothing but a series goes when that ends; one that tells of others stays") func seriesEnds()
        async throws
    {
        try await World.run { world in
            var content = NoticeContent(title: "Mail")
            content.summary = ThreadSummary(moreThan: 2, within: .seconds(60), title: "{count} new")
            for base in ["alone", "together"] {
                try await world.center.add(
                    NoticeSeries(id: base, content: content, spacing: .seconds(10), count: 3)
                )
            }
            try await world.center.add(Self.request("other", after: 5, thread: "together"))
            try await world.clock.advance(by: .seconds(20))
            #expect(Set(world.shownIDs()) == ["belfry.summary:alone", "belfry.summary:together"])
            try await world.center.remove("alone", includingDelivered: true)
            try await world.center.remove("together", includingDelivered: true)
            #expect(world.shownIDs() == ["belfry.summary:together"])
            #expect(try await world.lastDetail(of: "belfry.summary:alone", .closed) == "taken down by the app")
        }
    }
}
