import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

/// A handler that takes answers as it is told.
final class TestDelegate: NoticeCenterDelegate {
    let received = Box<[NoticeResponse]>([])
    let undisplayed = Box<[Delivery]>([])
    let asked = Box<[Delivery]>([])
    let present: @Sendable (Delivery) async -> NoticeCenter.Presentation
    let take: @Sendable (NoticeResponse) async -> Void

    init(
        present: @escaping @Sendable (Delivery) async -> NoticeCenter.Presentation = { _ in .present },
        take: @escaping @Sendable (NoticeResponse) async -> Void = { _ in }
    ) {
        self.present = present
        self.take = take
    }

    func handleUndisplayed(_ delivery: Delivery) async { await undisplayed.update { $0.append(delivery) } }

    func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
        await asked.update { $0.append(delivery) }
        return await present(delivery)
    }

    func handle(_ response: NoticeResponse) async {
        await take(response)
        await received.update { $0.append(response) }
    }
}

@Suite("Actions and answers", .takesTurns)
struct AnswerTests {
    private static func message(_ id: String = "mail") -> NoticeRequest {
        var request = NoticeRequest.sample(id)
        request.content.actions = [
            NoticeAction("read", title: "Read"), NoticeAction("reply", title: "Reply", kind: .reply(placeholder: "…")),
        ]
        request.content.userInfo = ["box": "inbox", "number": 7]
        return request
    }

    @Test("Actions are shown in their order; answers bring back the action, the text and the app's data")
    func kinds() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            let cases: [(SimulatedResponse, NoticeResponse.Kind)] = [
                (.open, .opened), (.action("read"), .action("read")),
                (.reply("Yes", action: "reply"), .reply(action: "reply", text: "Yes")),
            ]
            for (simulated, kind) in cases {
                try await world.center.add(Self.message())
                try await world.clock.settle()
                #expect(world.recorder.shown[0].delivery.content.actions.map(\.id) == ["read", "reply"])
                try world.recorder.simulate(simulated, on: "mail", activationToken: "token")
                await world.center.quiet()
                let answer = try #require(await answers.next())
                #expect(answer.kind == kind)
                #expect(answer.requestID == "mail")
                #expect(answer.userInfo == ["box": "inbox", "number": 7])
                #expect(answer.activationToken == "token")
                #expect(answer.deliveryID == world.recorder.deliveries.last?.id)
                #expect(try await world.standingIDs() == [])
            }
        }
    }

    @Test("A delivery has one identifier: for the backend, as a delivered notice, and in the response")
    func identifiers() async throws {
        try await World.run { world in
            var responses = await world.center.responses().makeAsyncIterator()
            let shown = try await world.center.show(NoticeContent(title: "Lunch?"), id: "mail")
            let delivery = try #require(world.recorder.deliveries.last)
            #expect(shown.id == delivery.id && shown.requestID == delivery.requestID && delivery.requestID == "mail")
            #expect(try await world.center.delivered().map(\.id) == [delivery.id])
            try world.recorder.simulate(.open, on: "mail")
            let response = try #require(await responses.next())
            #expect(response.deliveryID == delivery.id && response.requestID == "mail")
            // Each delivery has its own, also of the same request.
            #expect(try await world.center.show(NoticeContent(title: "Dinner?"), id: "mail").id != delivery.id)
        }
    }

    @Test("A category brings its actions where the content has none of its own") func categories() async throws {
        try await World.run { world in
            try await world.center.setCategories([
                NoticeCategory("message", actions: [NoticeAction("later", title: "Later")])
            ])
            for (id, actions, category) in [
                ("own", [NoticeAction("x", title: "X")], "message"), ("shared", [], "message"), ("none", [], "unknown"),
            ] as [(String, [NoticeAction], String)] {
                var request = NoticeRequest.sample(id)
                request.content.actions = actions
                request.content.category = category
                try await world.center.add(request)
            }
            try await world.clock.settle()
            #expect(world.recorder.deliveries.map { $0.content.actions.map(\.id) } == [["x"], ["later"], []])
            #expect(try await world.center.categories().map(\.id) == ["message"])
        }
    }

    @Test("Categories are kept over a restart; those that make no sense are refused") func storedCategories()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock())
        let category = NoticeCategory("message", actions: [NoticeAction("later", title: "Later")])
        try await World.run(on: clock, store: store) { world in
            try await world.center.setCategories([category])
            for bad in [
                [NoticeCategory("")], [category, category], [NoticeCategory(String(repeating: "x", count: 1_025))],
                [NoticeCategory("x", actions: [NoticeAction("", title: "?")])],
                [NoticeCategory("x", actions: [NoticeAction("a", title: "1"), NoticeAction("a", title: "2")])],
            ] {
                await expectError(.invalidContent) { try await world.center.setCategories(bad) }
            }
        }
        try await World.run(on: clock, store: store) { world in
            let categories = try await world.center.categories()
            #expect(categories == [category])
        }
    }

    @Test("As many actions as there may be are cut to what the server bears, and the receipt says so")
    func manyActions() async throws {
        var server = DeliveryCapabilities.everything.without(.reply, .progress, .badge)
        (server.actionLimit, server.bodyLimit) = (3, 2_000)
        let recorder = RecorderBackend(offering: server)
        try await World.run(recorder: recorder) { world in
            var request = NoticeRequest.sample("big")
            request.content.body = String(repeating: "x", count: 1_000_000)
            request.content.actions = (0..<32).map {
                NoticeAction("\($0)", title: "Action \($0)", kind: .reply(placeholder: ""))
            }
            (request.content.progress, request.content.badge) = (0.5, 3)
            let shown = try await world.center.show(request)
            #expect(
                shown.receipt.lost.map(\.description) == [
                    "body: cut to 2000 of 1000000 characters", "actions: cut to 3 of 32 actions",
                    "reply: '0' is a button: there is no reply field",
                    "reply: '1' is a button: there is no reply field",
                    "reply: '2' is a button: there is no reply field", "progress: recorder 1 shows no progress",
                    "badge: recorder 1 shows no badge",
                ]
            )
            let delivery = world.recorder.deliveries[0]
            #expect(delivery.content.actions.map(\.id) == ["0", "1", "2"])
            #expect(delivery.content.actions.allSatisfy { $0.kind == .button })
            #expect(delivery.content.body.count == 2_000)
            #expect(try await world.lastDetail(of: "big", .delivered)?.contains("cut to 3 of 32") == true)
        }
    }

    @Test(
        "An icon that is not there is a loss; the notice is shown without it",
        arguments: [
            "/nonexistent.png", "/dev/zero", "/",
        ]
    )
    func missingIcon(path: String) async throws {
        let request = NoticeRequest(id: "x", content: NoticeContent(title: "T", icon: .file(path)))
        try await World.run { world in
            let shown = try await world.center.show(request)
            #expect(shown.receipt.lost.contains { $0.feature == .icon && $0.detail.contains("'\(path)'") })
            #expect(world.recorder.deliveries[0].content.icon == nil)
        }
    }

    @Test("An image that has gone since is left out, and the receipt names it") func missingImage() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "belfry-\(UInt64.random(in: 0...(.max)))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) throws -> String {
            let path = folder.appendingPathComponent(name).path
            try Data([1]).write(to: URL(fileURLWithPath: path))
            return path
        }
        var content = NoticeContent(title: "T")
        content.image = .file(try file("a.png"))
        content.icon = .file(try file("b.png"))
        content.sound = .file(try file("c.oga"))
        content.attachments = [NoticeAttachment(id: "d", path: try file("d.png"))]
        let request = NoticeRequest(id: "x", content: content, trigger: .after(.seconds(60)))
        try await World.run { world in
            try await world.center.add(request)
            try FileManager.default.removeItem(at: folder)
            try await world.clock.advance(by: .seconds(60))
            let delivery = try world.recorder.expectDelivery(of: "x")
            #expect(delivery.content.image == nil && delivery.content.icon == nil && delivery.content.sound == nil)
            #expect(delivery.content.attachments == [])
            #expect(Set(delivery.lost.map(\.feature)) == [.image, .icon, .sound, .attachment])
        }
    }

    @Test("Dismissal is an answer only where the category or the content asks for it", arguments: [false, true])
    func dismissal(asks: Bool) async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.center.setCategories([NoticeCategory("c", reportsDismissal: asks)])
            var request = NoticeRequest.sample("x")
            request.content.category = "c"
            try await world.center.add([request, .sample("last")])
            try await world.clock.settle()
            try await world.person(.dismiss, on: "x")
            try await world.person(.open, on: "last")
            if asks { #expect(await answers.next()?.kind == .dismissed) }
            #expect(await answers.next()?.requestID == "last")
            #expect(
                try await world.history(of: "x") == (asks ? [.delivered, .closed, .responded] : [.delivered, .closed])
            )
        }
    }

    @Test("Any number of listeners hear of every answer") func listeners() async throws {
        try await World.run { world in
            var listeners: [NoticeCenter.Responses.AsyncIterator] = []
            for _ in 0..<5 { listeners.append(await world.center.responses().makeAsyncIterator()) }
            for id in ["a", "b"] {
                try await world.center.add(.sample(id))
                try await world.clock.settle()
                try await world.person(.open, on: id)
            }
            for index in listeners.indices {
                #expect(await listeners[index].next()?.requestID == "a")
                #expect(await listeners[index].next()?.requestID == "b")
            }
        }
    }

    @Test("An answer that nobody listens for waits for the first listener, over a restart too") func unclaimed()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock())
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("a"))
            try await world.clock.settle()
            try await world.person(.open, on: "a")
            #expect(try await store.load().responses.count == 1)
        }
        try await World.run(on: clock, store: store) { world in
            #expect(await world.center.responses().first { _ in true }?.requestID == "a")
        }
        let state = try await store.load()
        #expect(state.responses == [])
    }

    @Test("The handler takes answers one after the other; each is kept until it has") func handler() async throws {
        let store = MemoryRequestStore()
        let seen = Box<[Int]>([])
        let delegate = TestDelegate { _ in
            .present
        } take: { _ in
            let kept = (try? await store.load().responses.count) ?? -1
            await seen.update { $0.append(kept) }
        }
        try await World.run(store: store) { world in
            await world.center.setDelegate(delegate)
            try await world.center.add([.sample("a"), .sample("b")])
            try await world.clock.settle()
            try await world.person(.open, on: "a")
            try await world.person(.open, on: "b")
            #expect(await delegate.received.value.map(\.requestID) == ["a", "b"])
            // Stored before it was handed over, gone after it was taken.
            #expect(await seen.value == [1, 1])
            #expect(try await store.load().responses == [])
        }
    }

    @Test("An answer that the handler has not taken is handed over again after a restart") func redelivery()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock())
        let never = TestDelegate { _ in
            .present
        } take: { _ in
            await withTaskCancellationHandler {
                await Self.forever()
            } onCancel: {
            }
        }
        let options = CenterOptions(appTimeout: .milliseconds(50))
        try await World.run(on: clock, store: store, options: options) { world in
            await world.center.setDelegate(never)
            try await world.center.add(Self.message())
            try await world.clock.settle()
            try world.recorder.simulate(.action("read"), on: "mail")
            await world.recorder.waitUntilReported()
        }
        let delegate = TestDelegate()
        try await World.run(on: clock, store: store) { world in
            await world.center.setDelegate(delegate)
            await world.center.quiet()
            let (received, kept) = (await delegate.received.value, try await store.load().responses)
            #expect(received.map(\.kind) == [.action("read")])
            #expect(received.map(\.userInfo) == [["box": "inbox", "number": 7]])
            #expect(kept == [])
        }
    }

    private static func forever() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    @Test("The handler may call the center: take down, add, end") func handlerCallsBack() async throws {
        let center = Box<NoticeCenter?>(nil)
        let delegate = TestDelegate { _ in
            .present
        } take: { response in
            let center = await center.value
            try? await center?.removeDelivered(["other"])
            _ = try? await center?.add(.sample("thanks"))
            _ = try? await center?.remove("pending")
        }
        try await World.run { world in
            await center.set(world.center)
            await world.center.setDelegate(delegate)
            try await world.center.add([.sample("other"), .sample("mail"), .sample("pending", .after(.seconds(9)))])
            try await world.clock.settle()
            try await world.person(.open, on: "mail")
            try await world.clock.settle()
            #expect(world.shownIDs() == ["thanks"])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A resident notice stays, and can be answered again; each answer has an identifier of its own")
    func resident() async throws {
        try await World.run { world in
            var request = Self.message("player")
            request.content.desktop.isResident = true
            try await world.center.add(request)
            try await world.clock.settle()
            var answers = await world.center.responses().makeAsyncIterator()
            for _ in 0..<2 { try await world.person(.action("read"), on: "player") }
            let both = [await answers.next()?.id, await answers.next()?.id]
            #expect(both[0] != nil && both[0] != both[1])
            #expect(world.shownIDs() == ["player"])
            #expect(world.recorder.withdrawn == [])
        }
    }
}
