import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryDBus

/// A whole center, over D-Bus.
@Suite(
    "From add to the answer over D-Bus",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct LifeCycleTests {
    private let profile = Stage.profile(["body", "actions", "persistence"])

    /// The first notice that comes to stand.
    private func delivered(_ events: NoticeCenter.Events) async -> DeliveredNotice? {
        for await case .delivered(let notice) in events { return notice }
        return nil
    }

    private func history(_ events: NoticeCenter.Events, _ id: String, _ outcome: HistoryEntry.Outcome) async
        -> HistoryEntry?
    {
        for await case .history(let entry) in events where entry.requestID == id && entry.outcome == outcome {
            return entry
        }
        return nil
    }

    @Test("a bar that moves is one popup, over a restart of the server too") func progress() async throws {
        try await Stage.center(profile) { stage, center in
            for step in 1...3 {
                let content = NoticeContent.made { $0.progress = Double(step) / 10 }
                _ = try await center.show(NoticeRequest(id: "bar", content: content))
            }
            #expect(stage.server.calls.map(\.replaces) == [0, 1, 1] && stage.server.standing == [1])
            // Another app has the number that ours will not get again.
            let events = await center.events()
            await stage.server.stop()
            _ = await history(events, "bar", .closed)
            #expect(try await center.delivered().isEmpty)
            try await stage.server.start()
            let again = try await center.show(NoticeRequest(id: "bar", content: .made { $0.progress = 0.4 }))
            #expect(stage.server.calls.last?.replaces == 0 && stage.server.standing == [1])
            _ = try await center.show(NoticeRequest(id: "bar", content: .made { $0.progress = 0.5 }))
            #expect(stage.server.calls.last?.replaces == 1 && stage.server.standing == [1])
            #expect(try await center.delivered().map(\.receipt.server) == [again.receipt.server])
        }
    }

    @Test("an app that was started anew takes its former popup's place, and can take it down") func appRestart()
        async throws
    {
        let store = MemoryRequestStore()
        try await Stage.center(profile, store: store) { stage, center in
            _ = try await center.show(NoticeRequest(id: "kept", title: "Before"))
            _ = try await center.show(NoticeRequest(id: "other", title: "Other"))
            let next = Stage.on(stage.bus, stage.server)
            try await Stage.center(next, store: store) { stage, center in
                _ = try await center.show(NoticeRequest(id: "kept", title: "After"))
                #expect(stage.server.calls.last?.replaces == 1 && stage.server.standing == [1, 2])
                try await center.removeDelivered("other")
                #expect(stage.server.standing == [1])
            }
        }
    }

    @Test("the delivered list follows the server: closed, expired, the fourth of GNOME's three, gone with it")
    func list()
        async throws
    {
        try await Stage.center(.gnome) { stage, center in
            let events = await center.events()
            for number in 1...4 { _ = try await center.show(NoticeRequest(id: "\(number)", title: "N\(number)")) }
            #expect(await history(events, "1", .closed)?.detail == "expired (1)")
            #expect(try await center.delivered().map(\.requestID) == ["2", "3", "4"])
            stage.server.close(3, 2)
            #expect(await history(events, "3", .closed)?.detail == "dismissed (2)")
            #expect(try await center.delivered().map(\.requestID) == ["2", "4"])
            await stage.server.stop()
            _ = await history(events, "4", .closed)
            #expect(try await center.delivered().isEmpty)
        }
    }

    @Test("a click on the notice is an answer, whether the app has named it or not") func click() async throws {
        for profile in [profile, .gnome, .kde, .hostile] {
            try await Stage.center(profile) { stage, center in
                let responses = await center.responses()
                let shown = try await center.show(NoticeRequest(id: "ask", title: "Ask"))
                stage.server.press(try #require(UInt32(shown.receipt.handle)), "default")
                let response = await responses.first { _ in true }
                #expect(response?.kind == .opened && response?.requestID == "ask")
                #expect(response?.activationToken == stage.server.profile.activationToken)
                await center.quiet()
                #expect(try await center.delivered().isEmpty)
                _ = try await center.show(NoticeRequest(id: "last", title: "Last"))
                #expect(!stage.server.standing.contains(1))
            }
        }
    }

    @Test("at login there is no server: ten seconds later there is one, nothing is lost, and what is late says so")
    func login() async throws {
        let clock = ManualTriggerClock()
        try await Stage.center(profile, isThere: false, clock: clock) { stage, center in
            let events = await center.events()
            try await center.add(NoticeRequest(id: "early", title: "Early"))
            let impatient = await #expect(throws: NoticeError.self) {
                try await center.show(NoticeRequest(id: "now", title: "Now"))
            }
            #expect(impatient?.code == .noServer)
            try await clock.advance(by: .seconds(10))
            #expect(try await center.delivered().isEmpty)
            try await stage.server.start()
            // Asked after the bus has told of the server: what the center does about that is done by then.
            _ = try await center.capabilities()
            await center.quiet()
            try await clock.settle()
            let notice = try #require(await delivered(events))
            #expect(notice.requestID == "early" && notice.late >= .seconds(10))
            #expect(stage.server.calls.map(\.title) == ["Early"])
        }
    }

    @Test("at login there is no bus either") func busAtLogin() async throws {
        let bus = try await TestBus()
        bus.kill()
        let server = ScriptedServer(profile, at: bus.address)
        try await Stage.center(Stage.on(bus, server), store: MemoryRequestStore()) { stage, center in
            let events = await center.events()
            try await center.add(NoticeRequest(id: "early", title: "Early"))
            try await bus.start()
            try await server.start()
            #expect(await delivered(events)?.requestID == "early")
        }
        await server.stop()
    }

    @Test("the bus goes away and returns: what is due meanwhile is shown afterwards") func busReturns() async throws {
        try await Stage.center(profile) { stage, center in
            _ = try await center.show(NoticeRequest(id: "before", title: "Before"))
            let events = await center.events()
            stage.bus.kill()
            _ = await history(events, "before", .closed)
            try await center.add(NoticeRequest(id: "during", title: "During"))
            await center.quiet()
            #expect(try await center.delivered().isEmpty)
            try await stage.bus.start()
            let notice = try #require(await delivered(events))
            #expect(notice.requestID == "during" && notice.late > .zero)
            #expect(stage.server.calls.map(\.title) == ["Before", "During"])
        }
    }

    @Test("a server that hangs loses nothing and holds nobody up: shown once when it goes on, and late") func hangs()
        async throws
    {
        let clock = ManualTriggerClock()
        try await Stage.center(profile, call: .seconds(1), clock: clock) { stage, center in
            _ = try await center.capabilities()
            let events = await center.events()
            stage.server.stall()
            try await center.add(NoticeRequest(id: "stuck", title: "Stuck"))
            await center.quiet()
            // Others' business goes on.
            try await center.add(NoticeRequest(id: "later", title: "Later", trigger: .after(.seconds(3600))))
            #expect(try await center.pending().map(\.id).contains("later"))
            stage.server.resume()
            try await clock.advance(by: .seconds(600))
            let notice = try #require(await delivered(events))
            #expect(notice.requestID == "stuck" && notice.late > .zero)
            _ = try await center.show(NoticeRequest(id: "fence", title: "Fence"))
            // The first attempt's popup, which came late, has been taken down.
            #expect(stage.server.standing.count == 2)
        }
    }

    @Test("Plasma refuses the same text twice in a second: both are shown in the end") func repeats() async throws {
        let clock = ManualTriggerClock()
        try await Stage.center(.kde, clock: clock) { stage, center in
            try await center.add([NoticeRequest(id: "a", title: "Same"), NoticeRequest(id: "b", title: "Same")])
            await center.quiet()
            #expect(try await center.delivered().map(\.requestID) == ["a"])
            try await clock.advance(by: .seconds(600))
            #expect(try await center.delivered().map(\.requestID).sorted() == ["a", "b"])
        }
    }

    @Test("a full server is tried again when there is room") func full() async throws {
        var profile = ServerProfile.hostile
        profile.limit = 2
        let clock = ManualTriggerClock()
        try await Stage.center(profile, clock: clock) { stage, center in
            try await center.add((1...3).map { NoticeRequest(id: "\($0)", title: "N\($0)") })
            await center.quiet()
            #expect(try await center.delivered().map(\.requestID) == ["1", "2"])
            stage.server.close(1)
            try await clock.advance(by: .seconds(600))
            #expect(try await center.delivered().map(\.requestID).contains("3"))
        }
    }

    @Test("a thousand signals of others' between ours cost no answer") func flood() async throws {
        try await Stage.center(.hostile) { stage, center in
            let responses = await center.responses()
            _ = try await center.show(NoticeRequest(id: "ask", title: "Ask"))
            stage.server.flood(5000)
            stage.server.press(1, "default")
            stage.server.flood(5000)
            stage.server.press(1, "default")
            #expect(await responses.first { _ in true }?.requestID == "ask")
            await center.quiet()
            let answers = try await center.history(HistoryQuery(requestID: "ask")).filter { $0.outcome == .responded }
            #expect(answers.count == 1)
        }
    }
}
