import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "Snoozes, quiet hours and series over the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentSnoozeTests {
    private static let later = SnoozeChoice.after(.seconds(300)).actionID

    @Test("every call answers as in the app's own process", arguments: ["embedded", "agent"])
    func sameCalls(_ engine: String) async throws {
        let world = try await AgentWorld()
        let body: @Sendable (NoticeCenter) async throws -> Void = { center in
            let hours = QuietHours([QuietHours.Period(from: "22:00", to: "07:00", on: [.sunday, .saturday])])
            try await center.setQuietHours(hours)
            #expect(try await center.quietHours() == hours)
            try await center.setQuietHours(nil)
            #expect(try await center.quietHours() == nil)
            do throws(NoticeError) {
                try await center.setQuietHours(QuietHours([]))
                Issue.record("no windows were taken")
            } catch { #expect(error.code == .invalidComponent) }
            try await center.add(
                NoticeSeries(
                    id: "s",
                    content: NoticeContent(title: "S"),
                    first: AgentWorld.start.addingTimeInterval(600),
                    spacing: .seconds(600),
                    count: 3,
                    escalation: [NoticeSeries.EscalationStep(from: 2, title: "Louder")]
                )
            )
            let series = try await center.pendingSeries()
            #expect(series.map(\.id) == ["s"] && series.map(\.left) == [3] && series.map(\.total) == [3])
            #expect(try await center.pending().map(\.request.content.title) == ["S", "Louder", "Louder"])
            try await center.remove("s")
            #expect(try await center.pendingSeries() == [])
            var answers = await center.responses().makeAsyncIterator()
            _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
            try world.recorder().simulate(.open, on: "tea")
            let answer = try #require(await answers.next())
            try await center.snooze(answer, until: AgentWorld.start.addingTimeInterval(60))
            let pending = try await center.pending()
            #expect(pending.map(\.id) == ["tea"] && pending.map(\.snoozeCount) == [1])
            try await world.clock.advance(by: .seconds(60))
            #expect(try await center.delivered().map(\.snoozeCount) == [1])
        }
        if engine == "agent" {
            try await world.agent { try await world.center().run(body) }
        } else {
            let center = NoticeCenter(app: AgentWorld.tea, backend: world.recorder(), clock: .manual(world.clock))
            try await center.run(body)
        }
    }

    @Test("what is deferred, and what a removal took out, is told alike", arguments: ["embedded", "agent"])
    func states(_ engine: String) async throws {
        let world = try await AgentWorld()
        let body: @Sendable (NoticeCenter) async throws -> Void = { center in
            try await center.setQuietHours(QuietHours([QuietHours.Period(from: "07:00", to: "09:00")]))
            try await center.add(world.request("a", after: 60))
            try await world.clock.advance(by: .seconds(60))
            // It begins at 8:00.
            let nine = AgentWorld.start.addingTimeInterval(3_600)
            let waiting = NoticeStatus.deferred(until: nine, reason: .quietHours)
            #expect(try await center.pending().map(\.state) == [waiting])
            let report = try await center.remove(["a", "b"])
            #expect(report == NoticeCenter.RemovalReport(removed: [.init(id: "a", states: [waiting])], notFound: ["b"]))
            #expect(try await center.removeAll() == NoticeCenter.RemovalReport())
            #expect(
                try await center.remove("s", includingDelivered: true) == NoticeCenter.RemovalReport(notFound: ["s"])
            )
        }
        if engine == "agent" {
            try await world.agent { try await world.center().run(body) }
        } else {
            let center = NoticeCenter(app: AgentWorld.tea, backend: world.recorder(), clock: .manual(world.clock))
            try await center.run(body)
        }
    }

    @Test("a response puts itself off over the agent, from a listener and from the app's handler") func byTheResponse()
        async throws
    {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                var answers = await center.responses().makeAsyncIterator()
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                try world.recorder().simulate(.open, on: "tea")
                let answer = try #require(await answers.next())
                try await answer.snooze(for: .seconds(60))
                let app = Procrastinator()
                await center.setDelegate(app)
                _ = try await center.show(NoticeRequest(id: "coffee", title: "Coffee"))
                try world.recorder().simulate(.open, on: "coffee")
                _ = await answers.next()
                await center.quiet()
                #expect(try await center.pending().map(\.id) == ["tea", "coffee"])
                try await world.clock.advance(by: .seconds(60))
                #expect(try await center.delivered().map(\.requestID) == ["tea"])
                try await world.clock.advance(by: .seconds(120))
                #expect(try await center.delivered().map(\.snoozeCount) == [1, 1])
            }
        }
    }

    @Test("a snooze is carried out without the app, over lives of the agent; the app is told when it comes")
    func withoutTheApp() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                var request = NoticeRequest(id: "tea", title: "Tea")
                request.content.category = NoticeCategory.snoozeID
                _ = try await center.show(request)
            }
            try world.recorder().simulate(.action(Self.later), on: "tea")
            try await world.clock.settle()
            #expect(world.recorder().shown.isEmpty)
        }
        try await world.agent {
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder().deliveries.map(\.snoozeCount) == [0, 1])
            let app = AppDouble()
            try await world.center().run { center in
                await center.setDelegate(app)
                let response = await app.next()
                #expect(response?.kind == .action(Self.later))
                #expect(response?.snoozedUntil == AgentWorld.start.addingTimeInterval(300))
            }
        }
    }
}

/// Puts off whatever it is given.
private struct Procrastinator: NoticeCenterDelegate {
    func handle(_ response: NoticeResponse) async { try? await response.snooze(for: .seconds(180)) }
}
