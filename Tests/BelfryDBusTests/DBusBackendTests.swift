import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import BelfryTesting
import Testing

@testable import BelfryDBus

@Suite(
    "The D-Bus backend against a scripted server",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct DBusBackendTests {
    @Test("what is sent arrives: text escaped where markup is rendered, the subtitle first, pixels, milliseconds")
    func sending() async throws {
        let capabilities = ["body", "body-markup", "actions", "action-icons", "sound", "inline-reply"]
        try await Stage.run(Stage.profile(capabilities)) { stage, _ in
            let receipt = try await stage.backend.deliver(
                Stage.delivery("a < b") { content in
                    content.subtitle = "R&D"
                    content.body = "1 < 2"
                    content.level = .critical
                    content.image = .pixels(
                        NoticeImage.Pixels(width: 1, height: 2, hasAlpha: true, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
                    )
                    content.desktop.expiry = .after(.microseconds(1))
                    content.desktop.hints = ["x": .int64(7)]
                    content.actions = [
                        NoticeAction("default", title: ""), NoticeAction("go", title: "Go"),
                        NoticeAction("say", title: "Say", kind: .reply(placeholder: "what?")),
                    ]
                }
            )
            let sent = try #require(stage.server.calls.first)
            #expect(receipt.handle == "1" && receipt.server == stage.server.instance && receipt.lost.isEmpty)
            #expect(sent.appName == "Stage" && sent.title == "a < b" && sent.body == "R&amp;D\n1 &lt; 2")
            #expect(sent.actions == ["default", "Stage", "go", "Go", "inline-reply", "Say"])
            #expect(sent.expiry == 1)
            #expect(sent.hint("urgency") == .byte(2) && sent.hint("x") == .int32(7))
            #expect(
                sent.hint("image-data")
                    == .structure([
                        .int32(1), .int32(2), .int32(4), .boolean(true), .int32(8), .int32(4),
                        .bytes([1, 2, 3, 4, 5, 6, 7, 8]),
                    ])
            )
        }
    }

    @Test("what would hang GNOME never reaches it, and what reaches it is answered") func gnomeHints() async throws {
        try await Stage.run(.gnome) { stage, _ in
            let hints: [String: NoticeContent.Hint] = [
                "urgency": .string("2"), "image-path": .int(1), "sound-file": .int(1), "image-data": .string("x"),
                "x": .string("1"),
            ]
            for (name, hint) in hints {
                do throws(NoticeError) {
                    let receipt = try await stage.backend.deliver(
                        Stage.delivery(name) { $0.desktop.hints = [name: hint] }
                    )
                    #expect(name == "urgency" && receipt.lost.map(\.feature) == [.hint])
                } catch { #expect(error.code == .invalidContent && name != "urgency") }
            }
            #expect(stage.server.calls.map(\.title) == ["urgency"])
        }
    }

    @Test("a server that is replaced gets no old identifiers") func restart() async throws {
        try await Stage.run(Stage.profile(["body"])) { stage, events in
            let old = try await stage.backend.deliver(Stage.delivery("Bar"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: old.server))
            let same = try await stage.backend.deliver(Stage.delivery("Bar", replaces: old))
            #expect(same.handle == old.handle && stage.server.calls.last?.replaces == 1)
            await stage.server.stop()
            #expect(await events.next(isolation: #isolation) == .serverGone(server: old.server))
            let away = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("Nobody"))
            }
            #expect(away?.code == .noServer && away?.isTransient == true)
            try await stage.server.start()
            #expect(await events.next(isolation: #isolation) == .serverCame(server: stage.server.instance))
            let new = try await stage.backend.deliver(Stage.delivery("Bar", replaces: same))
            #expect(stage.server.calls.last?.replaces == 0 && new.lost.map(\.feature) == [.replacing])
            try await stage.backend.withdraw(old)
            try await stage.backend.withdraw(new)
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(new), .withdrawn))
        }
    }

    @Test("a server that won't replace shows a new one, and the receipt says so; two popups never stay")
    func wontReplace()
        async throws
    {
        try await Stage.run(.gnome) { stage, _ in
            let other = try await stage.bus.connection()
            let foreign = BusMethodCall(
                to: ScriptedServer.busName,
                ScriptedServer.path,
                ScriptedServer.busName,
                "Notify",
                [
                    .string("other"), .uint32(0), .string(""), .string("theirs"), .string(""), .strings([]),
                    .options([:]), .int32(-1),
                ],
                expects: "u"
            )
            _ = try await other.call(foreign)
            // As an app that was started anew remembers it, while its former run has not ended.
            let former = DeliveryReceipt(backend: "dbus", handle: "1", server: stage.server.instance)
            let receipt = try await stage.backend.deliver(Stage.delivery("Mine", replaces: former))
            #expect(receipt.handle == "2" && receipt.lost.map(\.feature) == [.replacing])
            #expect(stage.server.calls.map(\.replaces) == [0, 1, 0])
            // GNOME refuses to close it, and that is no error.
            try await stage.backend.withdraw(former)
            #expect(stage.server.standing == [1, 2])
        }
        try await Stage.run(Stage.profile(["body"])) { stage, _ in
            let first = try await stage.backend.deliver(Stage.delivery("Bar"))
            stage.server.answerNext(.id(9))
            let second = try await stage.backend.deliver(Stage.delivery("Bar", replaces: first))
            #expect(second.handle == "9")
            _ = try await stage.backend.deliver(Stage.delivery("Fence"))
            #expect(stage.server.standing == [2])
        }
    }

    @Test("identifiers 0, twice the same, 2³²−1 and answers of other types are no crash and no confusion") func lies()
        async throws
    {
        try await Stage.run(Stage.profile(["body", "actions"])) { stage, events in
            stage.server.answerNext(.id(0), .id(7), .id(7), .id(.max), .error("org.example.No"))
            let zero = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("Zero"))
            }
            #expect(zero?.code == .rejected && zero?.message.contains("identifier 0") == true)
            guard case .serverCame = await events.next(isolation: #isolation) else {
                throw BusError(.noOwner, "no server came")
            }
            let seven = try await stage.backend.deliver(Stage.delivery("Seven"))
            let again = try await stage.backend.deliver(Stage.delivery("Again"))
            #expect(seven.handle == "7" && again.handle == "7")
            let last = try await stage.backend.deliver(Stage.delivery("Last"))
            #expect(last.handle == "4294967295")
            stage.server.emit("ActionInvoked", [.uint32(.max), .string("default")])
            let answer = BackendEvent.responded(
                DeliveryReceipt.Reference(last),
                action: "default",
                text: nil,
                activationToken: nil
            )
            #expect(await events.next(isolation: #isolation) == answer)
            let refused = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("No"))
            }
            #expect(refused?.code == .rejected && refused?.isTransient == false)
            let lies: [[BusValue]] = [
                [], [.string("7")], [.uint32(7), .uint32(8)], [.strings(["x"])], [.variant(.uint32(7))],
            ]
            for lie in lies {
                try await stage.server.lie(about: "Notify", lie)
                let error = await #expect(throws: NoticeError.self) {
                    try await stage.backend.deliver(Stage.delivery("Lie"))
                }
                #expect(error?.code == .rejected)
            }
            try await stage.server.lie(about: "Notify", nil)
            #expect(try await stage.backend.deliver(Stage.delivery("True")).handle == "1")
        }
    }

    @Test("a server that can't say who it is and what it can shows titles and texts") func nameless() async throws {
        try await Stage.run(Stage.profile(["actions"])) { stage, _ in
            try await stage.server.lie(about: "GetServerInformation", [.uint32(1)])
            try await stage.server.lie(about: "GetCapabilities", [.string("body")])
            let capabilities = try await stage.backend.capabilities()
            #expect(capabilities.server == "an unnamed server" && capabilities.features.contains(.body))
            #expect(!capabilities.features.contains(.actions))
            #expect(try await stage.backend.deliver(Stage.delivery("Shown")).handle == "1")
        }
    }

    @Test(
        "servers that say they are busy are tried again, others are not",
        arguments: [
            ("org.freedesktop.Notifications.MaxNotificationsExceeded", NoticeError.Code.serverBusy),
            ("org.freedesktop.Notifications.Error.ExcessNotificationGeneration", .serverBusy),
            ("org.gtk.GDBus.UnmappedGError.Quark._notify_2ddaemon_2derror_2dquark.Code1", .serverBusy),
            ("org.freedesktop.DBus.GLib.UnmappedError.NotifyOsd.Code1", .serverBusy),
            ("org.freedesktop.DBus.Error.LimitsExceeded", .serverBusy),
            ("org.freedesktop.DBus.Error.NoReply", .noServer), ("org.freedesktop.DBus.Error.Timeout", .serverTimedOut),
            ("org.freedesktop.DBus.Error.InvalidArgs", .rejected), ("org.example.Whatever", .rejected),
        ]
    )
    func errors(name: String, code: NoticeError.Code) async throws {
        try await Stage.run(Stage.profile(["body"])) { stage, _ in
            stage.server.answerNext(.error(name))
            let error = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("Now"))
            }
            #expect(error?.code == code && error?.isTransient == (code != .rejected))
        }
    }

    @Test("a server that never answers costs the limit; a notice that it shows later is taken down again") func late()
        async throws
    {
        try await Stage.run(Stage.profile(["body"]), call: .seconds(1)) { stage, _ in
            _ = try await stage.backend.capabilities()
            stage.server.stall()
            let late = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("Late"))
            }
            #expect(late?.code == .serverTimedOut && late?.isTransient == true)
            stage.server.resume()
            _ = try await stage.backend.deliver(Stage.delivery("Again"))
            // The server has answered both; the first was taken down before the third is asked for.
            _ = try await stage.backend.deliver(Stage.delivery("Third"))
            #expect(stage.server.calls.map(\.title) == ["Late", "Again", "Third"])
            #expect(stage.server.standing == [2, 3])
        }
    }

    @Test("what is taken down again is not closed before Xfce's server has drawn it") func undoneEarly() async throws {
        try await Stage.run(.xfce, call: .seconds(1)) { stage, _ in
            _ = try await stage.backend.capabilities()
            stage.server.stall()
            await #expect(throws: NoticeError.self) { try await stage.backend.deliver(Stage.delivery("Late")) }
            stage.server.resume()
            let bar = try await stage.backend.deliver(Stage.delivery("Bar"))
            // The first one may have been taken down by now.
            #expect(stage.server.standing.contains(2))
            // Shown in addition to the notice that it should have replaced.
            stage.server.answerNext(.id(7))
            _ = try await stage.backend.deliver(Stage.delivery("Bar", replaces: bar))
            while !stage.server.standing.isEmpty, !Task.isCancelled { await Task.yield() }
            // It would crash.
            _ = try await stage.backend.deliver(Stage.delivery("After"))
            #expect(stage.server.standing == [3])
        }
    }

    @Test("a notice that replaces another one too late stays, and its buttons are its own") func lateReplacement()
        async throws
    {
        try await Stage.run(Stage.profile(["body", "actions"]), call: .seconds(1)) { stage, events in
            let old = try await stage.backend.deliver(Stage.delivery("Bar"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: old.server))
            stage.server.stall()
            await #expect(throws: NoticeError.self) {
                // Servers give this identifier a meaning of their own, so its key is another one.
                try await stage.backend.deliver(
                    Stage.delivery("Bar", replaces: old) { $0.actions = [NoticeAction("settings", title: "Settings")] }
                )
            }
            stage.server.resume()
            _ = try await stage.backend.deliver(Stage.delivery("Next"))
            #expect(stage.server.standing == [1, 2])
            stage.server.press(1, "belfry-action-1")
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(.init(old), action: "settings", text: nil, activationToken: nil)
            )
        }
    }

    @Test("without a bus the error comes at once; a bus that goes and returns loses nothing that comes after")
    func busGoes() async throws {
        try await Stage.run(Stage.profile(["body"])) { stage, events in
            let old = try await stage.backend.deliver(Stage.delivery("Before"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: old.server))
            stage.bus.kill()
            #expect(await events.next(isolation: #isolation) == .serverGone(server: old.server))
            let away = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("Nobody"))
            }
            #expect(away?.code == .noBus && away?.isTransient == true)
            try await stage.bus.start()
            // The server comes back by itself, as the backend does.
            guard case .serverCame(let owner) = await events.next(isolation: #isolation) else {
                throw BusError(.noOwner, "no server came")
            }
            let new = try await stage.backend.deliver(Stage.delivery("After", replaces: old))
            #expect(new.server == owner && stage.server.calls.last?.replaces == 0)
            stage.server.close(try #require(UInt32(new.handle)))
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(new), .dismissed))
        }
    }

    @Test("a notice is taken down once the bus has told of the server, however early that is asked for")
    func earlyWithdrawal() async throws {
        try await Stage.run(Stage.profile(["body"])) { stage, _ in
            let receipt = try await stage.backend.deliver(Stage.delivery("Former"))
            let next = Stage.on(stage.bus, stage.server, call: .milliseconds(50)).backend
            stage.bus.freeze()
            let run = Task { try await next.run { _ in } }
            let early = await #expect(throws: NoticeError.self) { try await next.withdraw(receipt) }
            #expect(early?.code == .noBus && early?.isTransient == true)
            stage.bus.thaw()
            while (try? await next.withdraw(receipt)) == nil, !Task.isCancelled {}
            #expect(stage.server.standing.isEmpty)
            run.cancel()
            try await run.value
        }
    }

    @Test("if the bus forbids to listen, calls get that reason at once")
    func listeningForbidden() async throws {
        let bus = try await TestBus()
        let driver = try await bus.connection()
        try bus.setLimits([:], denying: ["AddMatch"])
        try await driver.call(BusDriver.call("ReloadConfig"))
        let stage = Stage.on(bus, ScriptedServer(Stage.profile(["body"]), at: bus.address), call: .seconds(3600))
        let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
        let run = Task { try await stage.backend.run { continuation.yield($0) } }
        for _ in 1...2 {
            let error = await #expect(throws: NoticeError.self) {
                try await stage.backend.deliver(Stage.delivery("Tea"))
            }
            #expect(error?.code == .rejected)
        }
        guard case .error(let error) = await events.first(where: { _ in true }) else {
            Issue.record("nothing was reported")
            return
        }
        #expect(error.code == .rejected)
        run.cancel()
        try await run.value
    }
}
