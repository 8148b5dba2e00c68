import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import BelfryDBus

@Suite(
    "Do-not-disturb, badge and preview over D-Bus",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct DesktopStateTests {
    // MARK: do not disturb

    @Test("Plasma says it by its property") func plasma() async throws {
        try await Stage.run(.kde) { stage, _ in
            #expect(await stage.backend.doNotDisturb() == .off)
            try stage.server.setInhibited(true)
            #expect(await stage.backend.doNotDisturb() == .on)
        }
    }

    @Test("dunst by its own interface") func dunst() async throws {
        try await Stage.run(Stage.profile(["body"], "dunst", "knopwob", "1.9.0")) { stage, _ in
            // Another server that only calls itself so.
            #expect(await stage.backend.doNotDisturb() == .unknown)
            let paused = Atomic(true)
            let export = try await stage.server.bus?.export(
                [
                    BusInterface(
                        "org.dunstproject.cmd0",
                        properties: [
                            BusProperty("paused", "b", read: { .boolean(paused.load(ordering: .relaxed)) })
                        ]
                    )
                ],
                at: ScriptedServer.path
            )
            #expect(await stage.backend.doNotDisturb() == .on)
            paused.store(false, ordering: .relaxed)
            #expect(await stage.backend.doNotDisturb() == .off)
            withExtendedLifetime(export) {}
        }
    }

    @Test("mako by the mode that its manual names; what modes of the user's own do is unknown") func mako() async throws
    {
        let answers: [(BusValue, DeliveryCapabilities.DoNotDisturb)] = [
            (.strings(["default"]), .off), (.strings([]), .off), (.strings(["default", "do-not-disturb"]), .on),
            (.strings(["default", "away"]), .unknown), (.string("do-not-disturb"), .unknown),
        ]
        for (answer, expected) in answers {
            try await Stage.run(Stage.profile(["body"], "mako", "emersion", "0.0.0")) { stage, _ in
                #expect(await stage.backend.doNotDisturb() == .unknown, "before version 1.7 there are no modes")
                let modes = BusMethod(
                    "ListModes",
                    returns: [BusArgument("modes", try BusSignature(answer.type().text))],
                    atOnce: { _ in [answer] }
                )
                let export = try await stage.server.bus?.export(
                    [BusInterface("fr.emersion.Mako", methods: [modes])],
                    at: "/fr/emersion/Mako"
                )
                #expect(await stage.backend.doNotDisturb() == expected)
                withExtendedLifetime(export) {}
            }
        }
    }

    /// An object on a connection of its own.
    private func object(
        _ stage: Stage,
        _ name: String,
        _ path: BusObjectPath,
        _ method: BusMethod
    ) async throws -> (BusConnection, BusSubscription) {
        let connection = try await stage.bus.connection()
        let export = try await connection.export([BusInterface(name, methods: [method])], at: path)
        try await connection.requestName(name)
        return (connection, export)
    }

    @Test("swaync by another object, and nobody where that isn't there or lies") func swaync() async throws {
        let profile = Stage.profile(["body"], "SwayNotificationCenter", "ErikReider", "0.7.3")
        let answers: [(BusValue?, DeliveryCapabilities.DoNotDisturb)] = [
            (nil, .unknown), (.boolean(true), .on), (.boolean(false), .off), (.string("true"), .unknown),
        ]
        for (answer, expected) in answers {
            try await Stage.run(profile) { stage, _ in
                var other: (BusConnection, BusSubscription)?
                if let answer {
                    let type = try BusSignature(answer.type().text)
                    other = try await object(
                        stage,
                        "org.erikreider.swaync.cc",
                        "/org/erikreider/swaync/cc",
                        BusMethod("GetDnd", returns: [BusArgument("dnd", type)], atOnce: { _ in [answer] })
                    )
                }
                #expect(await stage.backend.doNotDisturb() == expected)
                await other?.0.close()
            }
        }
    }

    @Test("Xfce by its settings, where never set means off") func xfce() async throws {
        let missing = "org.xfce.Xfconf.Error.PropertyNotFound"
        let answers: [(Result<BusValue, BusError>, DeliveryCapabilities.DoNotDisturb)] = [
            (.success(.boolean(true)), .on), (.success(.boolean(false)), .off), (.success(.int32(1)), .unknown),
            (.failure(.reply(missing, "")), .off), (.failure(.reply("org.example.Other", "")), .unknown),
        ]
        for (answer, expected) in answers {
            try await Stage.run(Stage.profile(["body"], "Xfce Notify Daemon", "Xfce", "0.7.3")) { stage, _ in
                let method = BusMethod(
                    "GetProperty",
                    takes: [BusArgument("channel", "s"), BusArgument("property", "s")],
                    returns: [BusArgument("value", "v")],
                    atOnce: { call in
                        let asked = call.arguments.map(\.string)
                        guard asked == ["xfce4-notifyd", "/do-not-disturb"] else {
                            throw BusError.reply("org.example.Asked", "for something else")
                        }
                        return [.variant(try answer.get())]
                    }
                )
                let other = try await object(stage, "org.xfce.Xfconf", "/org/xfce/Xfconf", method)
                #expect(await stage.backend.doNotDisturb() == expected)
                await other.0.close()
            }
        }
    }

    @Test("GNOME and MATE by a small program, which may print nonsense, fail, hang, or not be there") func settings()
        async throws
    {
        let folder = NSTemporaryDirectory() + "belfry-settings-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = folder + "/settings"
        let scripts: [(String, DeliveryCapabilities.DoNotDisturb)] = [
            ("[ \"$*\" = 'get org.gnome.desktop.notifications show-banners' ] && echo false", .on), ("echo true", .off),
            ("echo 'maybe'", .unknown), ("", .unknown), ("echo false; exit 1", .unknown), ("exec sleep 100", .unknown),
            ("kill -9 $$", .unknown),
        ]
        for (script, expected) in scripts {
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let call: Duration = script.hasPrefix("exec sleep") ? .milliseconds(300) : .seconds(60)
            try await Stage.run(.gnome, call: call, settingsProgram: program) { stage, _ in
                #expect(await stage.backend.doNotDisturb() == expected, "\(script)")
            }
        }
        try await Stage.run(.gnome, settingsProgram: "/no such program") { stage, _ in
            #expect(await stage.backend.doNotDisturb() == .unknown)
        }
        try await Stage.run(.gnome, settingsProgram: nil) { stage, _ in
            #expect(await stage.backend.doNotDisturb() == .unknown)
        }
    }

    @Test("a center says unknown without a server, and where a server has no word for it") func unknown() async throws {
        try await Stage.center(.minimal, isThere: false) { stage, center in
            #expect(await center.doNotDisturb() == .unknown)
            try await stage.server.start()
            #expect(await center.doNotDisturb() == .unknown)
        }
    }

    // MARK: badge

    private func check(_ signal: BusSignal?, _ count: Int64, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            signal?.arguments == [
                .string("application://org.example.Stage.desktop"),
                .options(["count": .int64(count), "count-visible": .boolean(count > 0)]),
            ],
            sourceLocation: sourceLocation
        )
        #expect(
            signal?.path.text.hasPrefix("/com/canonical/unity/launcherentry/") == true,
            sourceLocation: sourceLocation
        )
    }

    @Test(
        "a badge goes with a notice and apart from any, is told to docks that come later, and said to be lost without one"
    )
    func badge() async throws {
        try await Stage.center(.minimal) { stage, center in
            let watcher = try await stage.bus.connection()
            let updates = try await watcher.signals(
                BusMatch(interface: "com.canonical.Unity.LauncherEntry", member: "Update")
            )
            var signals = updates.makeAsyncIterator()
            let content = NoticeContent.made { $0.badge = 3 }
            #expect(try await center.previewDelivery(of: content).lost.map(\.feature) == [.badge])
            let shown = try await center.show(NoticeRequest(id: "mail", content: content))
            check(await signals.next(), 3)
            #expect(shown.receipt.lost.map(\.feature) == [.badge])
            let dock = try await stage.bus.connection()
            try await dock.requestName("com.canonical.Unity")
            check(await signals.next(), 3)
            #expect(try await center.show(NoticeRequest(id: "mail", content: content)).receipt.lost.isEmpty)
            check(await signals.next(), 3)
            #expect(try await center.previewDelivery(of: content).lost.isEmpty)
            try await center.setBadge(0)
            check(await signals.next(), 0)
            let negative = await #expect(throws: NoticeError.self) { try await center.setBadge(-1) }
            #expect(negative?.code == .invalidContent)
            // No server is needed for it, but a bus.
            await stage.server.stop()
            try await center.setBadge(12)
            check(await signals.next(), 12)
        }
    }

    // MARK: preview

    @Test("the preview is the receipt beforehand, and shows nothing") func preview() async throws {
        try await Stage.center(.gnome) { stage, center in
            let content = NoticeContent.made { content in
                content.body = "<b>See</b> <a href=\"https://example.org\">this</a>"
                content.bodyFormat = .markup
                content.progress = 0.5
                content.desktop.expiry = .never
                content.thread = "t"
                content.desktop.hints = ["urgency": .byte(2)]
                content.actions = (1...4).map { number in
                    NoticeAction(
                        "\(number)",
                        title: "N\(number)",
                        kind: number == 1 ? .reply(placeholder: "") : .button
                    )
                }
            }
            let preview = try await center.previewDelivery(of: content)
            #expect(preview.backend == "dbus" && preview.server == "gnome-shell 43.9")
            #expect(preview.content.body == "<b>See</b> this (https://example.org)")
            #expect(preview.content.actions.map(\.id) == ["1", "2", "3"])
            #expect(preview.content.actions.allSatisfy { $0.kind == .button })
            #expect(preview.lost.map(\.feature) == [.links, .actions, .reply, .progress, .hint, .expiry, .thread])
            #expect(stage.server.calls.isEmpty)
            let shown = try await center.show(NoticeRequest(id: "x", content: content))
            #expect(shown.receipt.lost == preview.lost)
            #expect(stage.server.calls.last?.body == preview.content.body)
            let bad = await #expect(throws: NoticeError.self) {
                try await center.previewDelivery(of: .made { $0.desktop.hints = ["x": .string("left")] })
            }
            #expect(bad?.code == .invalidContent)
            #expect(stage.server.calls.count == 1)
        }
    }
}
