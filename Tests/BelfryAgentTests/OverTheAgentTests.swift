import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "A center over the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct OverTheAgentTests {
    /// What both engines are asked, with the same answers: switching is one line.
    @Test("every call answers as in the app's own process", arguments: ["embedded", "agent"])
    func sameCalls(_ engine: String) async throws {
        let world = try await AgentWorld()
        let body: @Sendable (NoticeCenter) async throws -> Void = { center in
            let report = try await center.add([world.request("a"), world.request("b", after: 120)])
            #expect(report.added == ["a", "b"])
            #expect(report.next == AgentWorld.start.addingTimeInterval(60))
            let past = NoticeRequest(id: "past", title: "P", trigger: .date(AgentWorld.start))
            let wrong = await #expect(throws: NoticeError.self) { try await center.add([world.request("b"), past]) }
            #expect(wrong?.code == .neverFires && wrong?.requestID == "past")
            let rest = try await center.add([past, world.request("b", after: 120)], allOrNothing: false)
            #expect(rest.added == ["b"] && rest.refused.map(\.requestID) == ["past"])
            let milliseconds = Date(timeIntervalSince1970: 1_800_000_000_000)
            let far = NoticeRequest(id: "far", title: "F", trigger: .date(milliseconds))
            let others = try await center.add([far, world.request("b", after: 120)], allOrNothing: false)
            #expect(others.added == ["b"] && others.refused.map(\.requestID) == ["far"])
            let outside = await #expect(throws: NoticeError.self) { try await center.add([world.request("b"), far]) }
            #expect(outside?.code == .invalidComponent && outside?.requestID == "far")
            try await center.add(
                NoticeSeries(
                    id: "s",
                    content: NoticeContent(title: "S"),
                    first: AgentWorld.start.addingTimeInterval(600),
                    spacing: .seconds(600),
                    count: 3
                )
            )
            let elements = (1...3).map { "s@\(1_800_000_000 + 600 * $0)" }
            #expect(try await center.pending().map(\.id) == ["a", "b"] + elements)
            #expect(try await center.nextFireDate(of: "b") == AgentWorld.start.addingTimeInterval(120))
            #expect(try await center.nextFireDate(of: "nobody") == nil)
            try await center.remove("s", includingDelivered: true)
            try await center.remove("b")
            #expect(try await center.pending().map(\.id) == ["a"])
            try await world.clock.advance(by: .seconds(60))
            #expect(try await center.delivered().map(\.requestID) == ["a"])
            let shown = try await center.show(NoticeRequest(id: "now", title: "Now"))
            #expect(shown.receipt.backend == "recorder")
            try await center.removeDelivered("a")
            #expect(try await center.delivered().map(\.requestID) == ["now"])
            try await center.removeAllDelivered()
            #expect(try await center.delivered().isEmpty)
            let outcomes = try await center.history(HistoryQuery(requestID: "a")).map(\.outcome)
            #expect(outcomes.first == .delivered)
            try await center.setCategories([NoticeCategory("c", actions: [NoticeAction("x", title: "X")])])
            #expect(try await center.categories().map(\.id) == ["c"])
            #expect(try await center.capabilities() == .everything)
            #expect(try await center.authorizationStatus() == .authorized)
            try await center.setAuthorization(.denied)
            await #expect(throws: NoticeError.self) { try await center.add(world.request("no")) }
            #expect(try await center.authorizationStatus() == .denied)
            do throws(NoticeError) { try await center.add(NoticeRequest(id: "", title: "x")) } catch {
                #expect(error.code == .notAuthorized || error.code == .invalidIdentifier)
            }
            try await center.setAuthorization(.authorized)
            do throws(NoticeError) {
                try await center.add(NoticeRequest(id: "", title: "x"))
                Issue.record("an empty identifier was taken")
            } catch { #expect(error.code == .invalidIdentifier) }
            try await center.add(world.request("z"))
            try await center.removeAll()
            #expect(try await center.pending().isEmpty)
            #expect(try await center.nextFireDate() == nil)
        }
        if engine == "agent" {
            try await world.agent { try await world.center().run(body) }
        } else {
            let center = NoticeCenter(
                app: AgentWorld.tea,
                backend: world.recorder(),
                clock: .manual(world.clock),
                prompt: world.prompt
            )
            try await center.run(body)
        }
    }

    @Test("a request fires when the app has ended")
    func firesWithoutTheApp() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { try await $0.add(world.request("tea")) }
            try await world.clock.advance(by: .seconds(60))
            #expect(try world.recorder().expectDelivery(of: "tea").content.title == "Title of tea")
        }
    }

    @Test("the next life of the agent has what the last one had")
    func nextLife() async throws {
        let world = try await AgentWorld()
        try await world.agent { try await world.center().run { try await $0.add(world.request("tea")) } }
        try await world.agent {
            try await world.clock.advance(by: .seconds(60))
            try world.recorder().expectDelivery(of: "tea")
        }
    }

    @Test("an answer reaches the app that is connected, and is kept until its handler has returned")
    func answerToAConnectedApp() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                let app = AppDouble()
                await center.setDelegate(app)
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                try world.recorder().simulate(.open, on: "tea", activationToken: "token")
                let response = await app.next()
                #expect(response?.requestID == "tea")
                #expect(response?.kind == .opened)
                #expect(response?.activationToken == "token")
            }
        }
    }

    @Test("an answer waits for an app that is not there, over lives of the agent, and comes once")
    func answerToAnAbsentApp() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { _ = try await $0.show(NoticeRequest(id: "tea", title: "Tea")) }
            try world.recorder().simulate(.open, on: "tea")
            try await world.clock.settle()
        }
        let app = AppDouble()
        try await world.agent {
            try await world.center().run { center in
                await center.setDelegate(app)
                #expect(await app.next()?.requestID == "tea")
            }
        }
        try await world.agent {
            try await world.center().run { center in
                let other = AppDouble()
                await center.setDelegate(other)
                _ = try await center.show(NoticeRequest(id: "second", title: "Second"))
                try world.recorder().simulate(.open, on: "second")
                #expect(await other.next()?.requestID == "second")
            }
        }
    }

    @Test("of three answers that nobody has handled the first is taken; the other two come to who asks next")
    func firstOfThree() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                for id in ["a", "b", "c"] { _ = try await center.show(NoticeRequest(id: id, title: id)) }
            }
            for id in ["a", "b", "c"] {
                try world.recorder().simulate(.open, on: id)
                try await world.clock.settle()
            }
            try await world.center().run { center in
                let response = await center.responses().first { _ in true }
                #expect(response?.requestID == "a")
            }
            // In the same process, one after the other.
            try await world.center().run { center in
                for id in ["b", "c"] {
                    let response = await center.responses().first { _ in true }
                    #expect(response?.requestID == id)
                }
            }
        }
    }

    @Test("an answer that an app is handling when it ends comes again") func endsWhileHandling() async throws {
        let world = try await AgentWorld()
        // Lives longer than the run, as in a process that is killed: it never asks for another one.
        let listener = Listener()
        try await world.agent {
            try await world.center().run { center in
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                await listener.listen(to: await center.responses())
                try world.recorder().simulate(.open, on: "tea")
                #expect(await listener.next()?.requestID == "tea")
            }
            try await world.center().run { center in
                let response = await center.responses().first { _ in true }
                #expect(response?.requestID == "tea")
            }
        }
        await listener.end()
    }

    private actor Listener {
        private var iterator: NoticeCenter.Responses.AsyncIterator?
        func listen(to responses: NoticeCenter.Responses) { iterator = responses.makeAsyncIterator() }
        func next() async -> NoticeResponse? {
            // Only this actor reads, one element at a time.
            nonisolated(unsafe) var iterator = iterator
            return await iterator?.next()
        }
        func end() { iterator = nil }
    }

    @Test("an app's icon is known to the agent, which shows it where a notice has none") func icon() async throws {
        let world = try await AgentWorld()
        let app = AppIdentity(id: AgentWorld.tea.id, name: AgentWorld.tea.name, icon: .named("tea"))
        try await world.agent {
            _ = try await world.center(app).show(NoticeRequest(id: "tea", title: "Tea"))
            #expect(try world.recorder().expectDelivery(of: "tea").content.icon == .named("tea"))
        }
        // Kept for the time when the app is not there.
        try await world.agent {
            _ = try await world.center().show(NoticeRequest(id: "second", title: "Second"))
            #expect(try world.recorder().expectDelivery(of: "second").content.icon == .named("tea"))
        }
    }

    @Test("listeners of a connected app hear its answers and what the center does")
    func listeners() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                let responses = await center.responses()
                let events = await center.events()
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                try world.recorder().simulate(.open, on: "tea")
                for await response in responses {
                    #expect(response.requestID == "tea")
                    break
                }
                for await case .delivered(let notice) in events {
                    #expect(notice.requestID == "tea")
                    break
                }
            }
        }
    }

    @Test("an observer hears what the center does without a listener", .timeLimit(.minutes(5)))
    func observer() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                let (heard, continuation) = AsyncStream.makeStream(of: CenterEvent.self)
                await center.observe { continuation.yield($0) }
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                for await case .delivered(let notice) in heard {
                    #expect(notice.requestID == "tea")
                    break
                }
            }
        }
    }

    @Test(
        "the app's delegate and content provider have their say while it is connected; else the stored content is shown"
    )
    func presentation() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let center = world.center(AgentWorld.tea) { options in
                options.contentProvider = { delivery in
                    var content = delivery.content
                    content.body = "made now"
                    return content
                }
            }
            try await center.run { center in
                await center.setDelegate(
                    AppDouble { $0.requestID == "secret" ? .suppress(reason: "not today") : .present }
                )
                try await center.add([
                    world.request("tea"), world.request("secret"), world.request("later", after: 120),
                ])
                try await world.clock.advance(by: .seconds(60))
                #expect(try world.recorder().expectDelivery(of: "tea").content.body == "made now")
                #expect(world.recorder().delivery(of: "secret") == nil)
                #expect(try await center.history(HistoryQuery(requestID: "secret")).last?.outcome == .suppressed)
            }
            try await world.clock.advance(by: .seconds(60))
            #expect(try world.recorder().expectDelivery(of: "later").content.body.isEmpty)
        }
    }

    @Test("two apps with one identifier of a request don't meet")
    func apart() async throws {
        let world = try await AgentWorld()
        let coffee = AppIdentity(id: "org.example.Coffee")
        try await world.agent {
            try await world.center().run { tea in
                try await world.center(coffee).run { other in
                    try await tea.add(world.request("x"))
                    try await other.add(world.request("x", after: 120))
                    try await other.removeAll()
                    #expect(try await tea.pending().map(\.id) == ["x"])
                    #expect(try await other.pending().isEmpty)
                }
            }
        }
    }

    @Test("the person is asked once for an app, and the answer is kept")
    func permission() async throws {
        let world = try await AgentWorld()
        world.prompt.replaceDecisions(with: .denied)
        try await world.agent {
            try await world.center().run { center in
                let before = try await center.authorizationStatus()
                #expect(before == .notDetermined)
                let answer = try await center.requestAuthorization()
                #expect(answer == .denied)
            }
        }
        try await world.agent {
            try await world.center().run { center in
                let kept = try await center.requestAuthorization()
                #expect(kept == .denied)
                #expect(world.prompt.asked.count == 1)
            }
        }
    }

    @Test(
        "more requests than one answer holds, by number and by length, come back whole, in pages",
        arguments: [false, true]
    )
    func pages(areLong: Bool) async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                let ids = (0..<(areLong ? 100 : AgentNames.page + 1)).map { "r\($0)" }
                let text = areLong ? String(repeating: "x", count: AgentNames.pageLength / 40) : ""
                try await center.add(
                    ids.enumerated().map {
                        var request = world.request($1, after: 60 + $0)
                        request.content.userInfo["text"] = .string(text)
                        return request
                    }
                )
                #expect(try await center.pending().map(\.id) == ids)
            }
        }
    }

    @Test("without an agent every call says what to do")
    func noAgent() async throws {
        let world = try await AgentWorld()
        do throws(NoticeError) {
            _ = try await world.center().pending()
            Issue.record("somebody answered")
        } catch {
            #expect(error.code == .agentUnavailable)
            #expect(error.message.contains("belfry agent install"))
        }
    }

    @Test("showing a notice may take longer than other calls: the agent may ask the person first")
    func showingTakesLong() async throws {
        let world = try await AgentWorld()
        let agent = try await AgentDouble(world)
        let center = world.center(AgentWorld.tea) { $0.timeout = .seconds(3) }
        let showing = Task { try await center.show(NoticeRequest(id: "tea", title: "Tea")) }
        await agent.shows.wait { $0.count == 1 }
        // A later call that the agent does not answer: when it is given up, the timeout has passed for both.
        await #expect(throws: NoticeError.self) { try await center.pending() }
        agent.shows.current[0].send(BusError.reply(NoticeError(.notAuthorized, "The user denied it.")))
        let error = await #expect(throws: NoticeError.self) { try await showing.value }
        #expect(error?.code == .notAuthorized, "\(String(describing: error))")
    }

    @Test("an app that stays while the agent is replaced goes on with the next one")
    func agentReplaced() async throws {
        let world = try await AgentWorld()
        let app = AppDouble()
        let center = world.center()
        await center.setDelegate(app)
        let running = Task { try await center.run() }
        try await world.agent { try await center.add(world.request("tea")) }
        try await world.agent {
            let ids = try await center.pending().map(\.id)
            #expect(ids == ["tea"])
            _ = try await center.show(NoticeRequest(id: "now", title: "Now"))
            try world.recorder().simulate(.open, on: "now")
            #expect(await app.next()?.requestID == "now")
        }
        running.cancel()
        try await running.value
    }

    @Test("an app whose handler is set before it runs, or while it begins, gets what waits", arguments: [true, false])
    func handlerFirst(isBefore: Bool) async throws {
        let world = try await AgentWorld()
        try await world.agent {
            for number in 0..<20 {
                try await world.center().run { center in
                    _ = try await center.show(NoticeRequest(id: "tea\(number)", title: "Tea"))
                }
                try world.recorder().simulate(.open, on: "tea\(number)")
                let (app, center) = (AppDouble(), world.center())
                if isBefore { await center.setDelegate(app) }
                let running = Task { try await center.run() }
                if !isBefore { await center.setDelegate(app) }
                // Ended before it has acknowledged, it gets the last one again: at least once.
                var got = await app.next()?.requestID
                if got == "tea\(number - 1)" { got = await app.next()?.requestID }
                #expect(got == "tea\(number)")
                running.cancel()
                _ = await running.result
            }
        }
    }
}
