import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Snooze", .takesTurns)
struct SnoozeTests {
    private static let later = SnoozeChoice.after(.seconds(300)).actionID

    private static func request(_ id: String, _ trigger: (any NoticeTrigger)? = nil) -> NoticeRequest {
        var request = NoticeRequest.sample(id, trigger)
        request.content.category = NoticeCategory.snoozeID
        request.content.actions = [.snooze(.after(.seconds(800))), .snooze(.tomorrow(hour: 2, minute: 30))]
        request.content.userInfo = ["box": "inbox"]
        return request
    }

    @Test("The built-in category has three buttons, behind the content's own, in the language of the moment")
    func buttons() async throws {
        try await World.run { world in
            let titles: [(String, [String])] = [
                ("en", ["Read", "In 5 minutes", "In 1 hour", "Tomorrow at 9:00"]),
                ("de-AT", ["Read", "In 5 Minuten", "In 1 Stunde", "Morgen um 9:00"]),
                ("xx", ["Read", "In 5 minutes", "In 1 hour", "Tomorrow at 9:00"]),
            ]
            for (language, expected) in titles {
                var request = Self.request(language)
                request.content.actions = [NoticeAction("read", title: "Read")]
                request.languages = [language]
                try await world.center.add(request)
                await world.center.quiet()
                let shown = try world.recorder.expectDelivery(of: language).content.actions
                #expect(shown.map(\.title) == expected)
            }
            // A button of one's own making, in a category of one's own.
            try await world.center.setCategories([
                NoticeCategory("mine", actions: [.snooze(.after(.seconds(86_400 * 2)))])
            ])
            var request = NoticeRequest.sample("mine")
            (request.content.category, request.languages) = ("mine", ["de"])
            try await world.center.add(request)
            await world.center.quiet()
            #expect(try world.recorder.expectDelivery(of: "mine").content.actions.map(\.title) == ["In 2 Tagen"])
        }
    }

    @Test("Every choice comes back from its button's identifier; what is none doesn't") func identifiers() {
        let choices: [SnoozeChoice] = [
            .after(.seconds(300)), .after(.milliseconds(1_500)), .tomorrow(hour: 9), .tomorrow(hour: 23, minute: 59),
            .until(World.start), .until(World.start.addingTimeInterval(0.5)),
        ]
        for choice in choices { #expect(SnoozeChoice(actionID: choice.actionID) == choice) }
        for text in [
            "", "read", "belfry.snooze", "belfry.snooze.", "belfry.snooze.after.", "belfry.snooze.after.-1",
            "belfry.snooze.after.nan", "belfry.snooze.after.1e300", "belfry.snooze.tomorrow.24:00",
            "belfry.snooze.tomorrow.9", "belfry.snooze.until.inf", "belfry.snooze.next.9",
        ] { #expect(SnoozeChoice(actionID: text) == nil, "\(text)") }
    }

    @Test("Put off, a notice is pending again under its identifier, comes with its content, and knows how often")
    func again() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.center.add(Self.request("tea"))
            try await world.clock.settle()
            for round in 1...2 {
                try await world.person(.action(Self.later), on: "tea")
                #expect(world.shownIDs() == [])
                let until = world.clock.date.addingTimeInterval(300)
                let answer = try #require(await answers.next())
                #expect(answer.kind == .action(Self.later) && answer.snoozedUntil == until)
                #expect(answer.userInfo == ["box": "inbox"])
                let pending = try await world.center.pending()
                #expect(pending.map(\.id) == ["tea"])
                #expect(pending.map(\.next) == [until] && pending.map(\.snoozedUntil) == [until])
                #expect(pending.map(\.snoozeCount) == [round])
                #expect(try await world.center.nextFireDate() == until)
                try await world.clock.advance(by: .seconds(299))
                #expect(world.shownIDs() == [])
                try await world.clock.advance(by: .seconds(1))
                let delivery = try #require(world.recorder.deliveries.last)
                #expect(delivery.requestID == "tea" && delivery.content.title == "Notice tea")
                #expect(delivery.snoozeCount == round && delivery.late == .zero && delivery.dueDate == until)
                #expect(try await world.center.delivered().map(\.snoozeCount) == [round])
                #expect(try await world.pendingIDs() == [])
            }
            #expect(
                try await world.lastDetail(of: "tea", .responded)?.contains("snoozed until 2026-01-01T00:10:00") == true
            )
            #expect(try await world.lastDetail(of: "tea", .delivered) == "snoozed 2 times")
            try await world.person(.open, on: "tea")
            #expect(try await world.history(of: "tea").last == .responded)
            #expect(try await world.center.delivered() == [])
        }
    }

    @Test("It outlives a restart and a reboot, and is late by what it is late") func restart() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add([Self.request("tea"), Self.request("coffee")])
            try await clock.settle()
            try await world.person(.action(Self.later), on: "tea")
            try await world.person(.action(SnoozeChoice.after(.seconds(3_600)).actionID), on: "coffee")
        }
        try await clock.reboot(taking: .seconds(600))
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            #expect(world.deliveredIDs() == ["tea"])
            #expect(world.recorder.deliveries.map(\.late) == [.seconds(300)])
            #expect(world.recorder.deliveries.map(\.isPossiblyRepeated) == [false])
            #expect(try await world.center.pending().map(\.id) == ["coffee"])
            try await clock.advance(by: .seconds(3_000))
            #expect(world.deliveredIDs() == ["tea", "coffee"])
        }
    }

    @Test("Tomorrow at 9 is local, also across a clock change and in another zone") func tomorrow() async throws {
        // The night from 28 to 29 March 2026 has an hour less in Berlin.
        let evening = Date(timeIntervalSince1970: 1_774_717_200)
        let tomorrow = SnoozeChoice.tomorrow(hour: 9).actionID
        try await World.run(at: evening, zone: try .named("Europe/Berlin")) { world in
            try await world.center.add(Self.request("tea"))
            try await world.clock.settle()
            try await world.person(.action(tomorrow), on: "tea")
            let nine = Date(timeIntervalSince1970: 1_774_767_600)
            #expect(try await world.center.nextFireDate(of: "tea") == nine)
            try await world.clock.changeZone(to: try .named("America/New_York"))
            #expect(try await world.center.nextFireDate(of: "tea") == nine.addingTimeInterval(6 * 3_600))
            try await world.clock.advance(to: nine.addingTimeInterval(6 * 3_600))
            #expect(world.recorder.deliveries.map(\.late) == [.zero, .zero])
        }
        // 2:30 does not exist on that day: by the length of the gap.
        try await World.run(at: evening, zone: try .named("Europe/Berlin")) { world in
            try await world.center.add(Self.request("tea"))
            try await world.clock.settle()
            try await world.person(.action(SnoozeChoice.tomorrow(hour: 2, minute: 30).actionID), on: "tea")
            #expect(try await world.center.nextFireDate(of: "tea") == Date(timeIntervalSince1970: 1_774_747_800))
        }
    }

    @Test("A request that repeats keeps its own firings and their phase") func repeating() async throws {
        try await World.run { world in
            try await world.center.add(Self.request("beat", .every(.seconds(600))))
            try await world.clock.advance(by: .seconds(700))
            try await world.person(.action(SnoozeChoice.after(.seconds(800)).actionID), on: "beat")
            #expect(try await world.center.pending().map(\.id) == ["beat"])
            #expect(try await world.center.nextFireDate(of: "beat") == World.start.addingTimeInterval(1_200))
            try await world.clock.advance(by: .seconds(1_200))
            #expect(world.dues() == [600, 1_200, 1_500, 1_800])
            #expect(world.recorder.deliveries.map(\.snoozeCount) == [0, 0, 1, 0])
        }
    }

    @Test("A series is put off whole: nothing of it before, the notice then, and the rest as it was planned")
    func series() async throws {
        try await World.run { world in
            var content = NoticeContent(title: "Mail")
            content.actions = [.snooze(.after(.seconds(1_000))), .snooze(.after(.seconds(300)))]
            try await world.center.add(
                NoticeSeries(id: "mail", content: content, spacing: .seconds(300), count: 10)
            )
            try await world.clock.advance(by: .seconds(600))
            let ids = world.shownIDs()
            #expect(ids.count == 3)
            try await world.person(.action(SnoozeChoice.after(.seconds(1_000)).actionID), on: ids[1])
            #expect(world.shownIDs() == [])
            #expect(try await world.center.pendingSeries().map(\.left) == [8])
            try await world.clock.advance(by: .seconds(999))
            #expect(world.shownIDs() == [])
            try await world.clock.advance(by: .seconds(1))
            #expect(world.shownIDs() == [ids[1]])
            try await world.clock.advance(by: .seconds(200))
            #expect(world.dues() == [0, 300, 600, 1_600, 1_800])
            #expect(try await world.history(of: "mail@1767226500") == [.missed])
            // Snoozing has ended nothing; an answer does.
            try await world.person(.open, on: ids[1])
            #expect(world.shownIDs() == [])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("What comes until it is answered is quiet until then, and goes on") func untilAnswered() async throws {
        try await World.run { world in
            var content = NoticeContent(title: "Mail")
            content.actions = [.snooze(.after(.seconds(1_000))), .snooze(.after(.seconds(300)))]
            try await world.center.add(.untilAnswered(id: "mail", content: content, every: .seconds(300)))
            try await world.clock.settle()
            try await world.person(.action(SnoozeChoice.after(.seconds(1_000)).actionID), on: "mail")
            try await world.clock.advance(by: .seconds(1_200))
            #expect(world.dues() == [0, 1_000, 1_200])
            try await world.person(.action(Self.later), on: "mail")
            // Answered elsewhere: the app ends it, and what was put off goes too.
            try await world.center.remove("mail")
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.dues().count == 3)
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("What comes until it is answered ends with the answer to what the app put off after a dismissal")
    func untilAnsweredAfterDismissal() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store) { world in
            var answers = await world.center.responses().makeAsyncIterator()
            var content = NoticeContent(title: "Mail")
            content.reportsDismissal = true
            try await world.center.add(.untilAnswered(id: "mail", content: content, every: .seconds(300)))
            try await clock.settle()
            // The second dismissal is of what came back after the first one.
            for shown in [[0.0], [0, 400]] {
                #expect(world.dues() == shown)
                try await world.person(.dismiss, on: "mail")
                let dismissal = try #require(await answers.next())
                try await world.center.snooze(dismissal, for: .seconds(400))
                if shown.count == 1 { try await clock.advance(by: .seconds(400)) }
            }
        }
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(400))
            #expect(world.dues() == [800])
            try await world.person(.open, on: "mail")
            #expect(try await world.pendingIDs() == [])
            try await clock.advance(by: .seconds(3_600))
            #expect(world.dues() == [800])
        }
    }

    @Test("An answer to a later firing ends what the app put off after an earlier dismissal, too")
    func untilAnsweredLater() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            var content = NoticeContent(title: "Mail")
            content.reportsDismissal = true
            try await world.center.add(.untilAnswered(id: "mail", content: content, every: .seconds(300)))
            try await world.clock.settle()
            try await world.person(.dismiss, on: "mail")
            let dismissal = try #require(await answers.next())
            try await world.clock.advance(by: .seconds(300))
            #expect(world.dues() == [0, 300] && world.shownIDs() == ["mail"])
            try await world.center.snooze(dismissal, for: .seconds(400))
            let until = World.start.addingTimeInterval(700)
            #expect(try await world.center.pending().map(\.snoozedUntil) == [until])
            try await world.person(.open, on: "mail")
            #expect(try await world.pendingIDs() == [])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.dues() == [0, 300])
        }
    }

    @Test("A new request of the identifier takes the place of what was put off; removing takes it out") func replaced()
        async throws
    {
        try await World.run { world in
            for id in ["a", "b", "c"] { try await world.center.add(Self.request(id)) }
            try await world.clock.settle()
            for id in ["a", "b", "c"] { try await world.person(.action(Self.later), on: id) }
            try await world.center.add(Self.request("a", .after(.seconds(600))))
            try await world.center.remove("b")
            #expect(try await world.pendingIDs() == ["c", "a"])
            try await world.clock.advance(by: .seconds(600))
            #expect(world.dues() == [0, 0, 0, 300, 600])
            #expect(try await world.history(of: "a") == [.delivered, .responded, .replaced, .delivered])
            #expect(try await world.history(of: "b") == [.delivered, .responded, .removed])
        }
    }

    @Test("The app puts off what was answered by a button of its own") func byTheApp() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store) { world in
            var answers = await world.center.responses().makeAsyncIterator()
            var request = NoticeRequest.sample("tea")
            request.content.actions = [NoticeAction("later", title: "Later")]
            try await world.center.add(request)
            try await clock.settle()
            try await world.person(.action("later"), on: "tea")
            let answer = try #require(await answers.next())
            #expect(answer.snoozedUntil == nil)
            await expectError(.invalidInterval) { try await world.center.snooze(answer, for: .zero) }
            await expectError(.neverFires) { try await world.center.snooze(answer, until: World.start) }
            var bare = answer
            bare.request = nil
            await expectError(.notFound) { [bare] in try await world.center.snooze(bare, for: .seconds(60)) }
            try await world.center.snooze(answer, for: .seconds(300))
            #expect(try await world.center.pending().map(\.snoozeCount) == [1])
        }
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(300))
            let delivery = try world.recorder.expectDelivery(of: "tea")
            #expect(delivery.snoozeCount == 1 && delivery.content.actions.map(\.id) == ["later"])
            #expect(try await store.load().deliveries.count == 1)
        }
    }

    @Test("The response itself puts off, wherever it was handed over: a listener and the delegate") func byTheResponse()
        async throws
    {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            func answer(_ id: String) async throws -> NoticeResponse {
                var request = NoticeRequest.sample(id)
                request.content.actions = [NoticeAction("later", title: "Later")]
                try await world.center.add(request)
                try await world.clock.settle()
                try await world.person(.action("later"), on: id)
                return try #require(await answers.next())
            }
            let heard = try await answer("a")
            await expectError(.invalidInterval) { try await heard.snooze(for: .zero) }
            await expectError(.neverFires) { try await heard.snooze(until: World.start) }
            try await heard.snooze(for: .seconds(60))
            try await answer("b").snooze(until: World.start.addingTimeInterval(120))
            try await answer("c").snooze(.tomorrow(hour: 9))
            await world.center.setDelegate(Procrastinator())
            _ = try await answer("d")
            let times = try await world.center.pending().compactMap { $0.next?.timeIntervalSince(World.start) }
            #expect(times == [60, 120, 180, 118_800])
            #expect(try await world.pendingIDs() == ["a", "b", "d", "c"])
        }
    }

    @Test("A response from elsewhere has the same value and knows no center") func withoutCenter() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.center.add(.sample("tea"))
            try await world.clock.settle()
            try await world.person(.open, on: "tea")
            let response = try #require(await answers.next())
            let decoded = try JSONDecoder().decode(NoticeResponse.self, from: JSONEncoder().encode(response))
            #expect(decoded == response && decoded.hashValue == response.hashValue)
            let error = await expectError(.noCenter) { try await decoded.snooze(for: .seconds(60)) }
            #expect(error?.message.contains("call snooze on the center") == true)
            try await world.center.snooze(decoded, for: .seconds(60))
            #expect(try await world.pendingIDs() == ["tea"])
        }
    }

    @Test("A response keeps no center alive, and says so when it is gone") func centerGone() async throws {
        let answer = NoticeResponse(id: "1", requestID: "tea", deliveryID: "1", kind: .opened, date: World.start)
        let center = NoticeCenter(app: World.app, backend: RecorderBackend())
        let orphan = answer.attached(to: NoticeCenter(app: World.app, backend: RecorderBackend()).engine)
        let error = await expectError(.noCenter) { try await orphan.snooze(for: .seconds(60)) }
        #expect(error?.message.contains("is gone") == true)
        // Handed over by another one since.
        await expectError(.notFound) { try await orphan.attached(to: center.engine).snooze(for: .seconds(60)) }
    }

    /// A center of a limit in which so many notices are put off for five minutes.
    private static func limited(
        to count: Int,
        _ overflow: CenterOptions.PendingLimit.Overflow,
        snoozing ids: [String],
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: count, overflow: overflow))
        try await World.run(options: options) { world in
            for id in ids { try await world.center.add(request(id)) }
            try await world.clock.settle()
            // Never refused, however many there are.
            for id in ids { try await world.person(.action(later), on: id) }
            #expect(try await world.pendingIDs() == ids)
            try await body(world)
        }
    }

    @Test("A pending limit counts what was put off; when it comes there is room again") func countsForTheLimit()
        async throws
    {
        try await Self.limited(to: 2, .refuse, snoozing: ["a", "b", "c"]) { world in
            let error = await expectError(.pendingLimitReached) {
                try await world.center.add(Self.request("other", .after(.seconds(600))))
            }
            #expect(error?.message.contains("3 requests are pending and the limit is 2") == true)
            // One that takes the place of another one needs no room.
            try await world.center.remove("c")
            try await world.center.add(Self.request("b", .after(.seconds(600))))
            #expect(try await world.pendingIDs() == ["a", "b"])
            try await world.clock.advance(by: .seconds(300))
            try await world.center.add(Self.request("other", .after(.seconds(600))))
            #expect(try await world.pendingIDs() == ["b", "other"])
        }
    }

    @Test("What was put off is never dropped to make room, not even for what comes sooner or is more important")
    func neverDropped() async throws {
        for overflow in [CenterOptions.PendingLimit.Overflow.keepSoonest, .keepHighestPriority] {
            try await Self.limited(to: 2, overflow, snoozing: ["a"]) { world in
                try await world.center.add(Self.request("first", .after(.seconds(100))))
                var urgent = Self.request("urgent", .after(.seconds(60)))
                urgent.content.level = .critical
                #expect(try await world.center.add(urgent).dropped == ["first"])
                var late = Self.request("late", .after(.seconds(6_000)))
                late.content.level = .passive
                #expect(try await world.center.add(late).dropped == ["late"])
                #expect(try await world.pendingIDs() == ["urgent", "a"])
                #expect(try await world.history(of: "late") == [.dropped])
                try await world.clock.advance(by: .seconds(300))
                #expect(world.shownIDs() == ["urgent", "a"])
            }
            // Nothing else is there to be dropped than what was just added.
            try await Self.limited(to: 1, overflow, snoozing: ["a", "b"]) { world in
                let report = try await world.center.add(Self.request("c", .after(.seconds(1))))
                #expect(report.added == [] && report.dropped == ["c"])
                #expect(try await world.pendingIDs() == ["a", "b"])
            }
        }
    }

    @Test("With its request it counts once, and a series is cut to what snoozes leave") func countsOnce()
        async throws
    {
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 3, overflow: .keepHighestPriority))
        try await World.run(options: options) { world in
            var beat = Self.request("beat", .every(.seconds(7_200)))
            beat.content.level = .passive
            try await world.center.add(beat)
            try await world.center.add(Self.request("tea"))
            try await world.clock.advance(by: .seconds(7_200))
            try await world.person(.action(Self.later), on: "beat")
            try await world.person(.action(Self.later), on: "tea")
            let report = try await world.center.add(
                NoticeSeries(
                    id: "s",
                    content: NoticeContent(title: "S"),
                    first: World.start.addingTimeInterval(20_000),
                    spacing: .seconds(60),
                    count: 4
                )
            )
            #expect(report.added.count == 1 && report.dropped.count == 3)
            var urgent = Self.request("x", .after(.seconds(60)))
            urgent.content.level = .critical
            // Not the passive one: without its request there would be no more room, since its notice waits.
            #expect(try await world.center.add(urgent).dropped == report.added)
            #expect(try await world.pendingIDs() == ["x", "beat", "tea"])
            #expect(try await world.center.pending().map(\.snoozeCount) == [0, 1, 1])
        }
    }
}

/// Puts off whatever it is given.
private struct Procrastinator: NoticeCenterDelegate {
    func handle(_ response: NoticeResponse) async { try? await response.snooze(for: .seconds(180)) }
}
