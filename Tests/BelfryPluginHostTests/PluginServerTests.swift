import Belfry
import BelfryPluginHost
import CMisbehavingPlugin
import Testing

/// What the host makes of a notice for the notification server that a plug-in speaks for; the plug-in calls itself so.
extension PluginEncodingTests {
    typealias Change = @Sendable (inout NoticeContent) -> Void

    private func show(
        on server: String,
        replaces: DeliveryReceipt? = nil,
        _ change: Change
    ) async throws -> (handed: String, lost: [DeliveryReceipt.LostFeature]) {
        var result: (String, [DeliveryReceipt.LostFeature]) = ("", [])
        try await onStage("server:\(server)") { backend, _ in
            let delivery = delivery("record", change, replaces: replaces)
            // As a center does: what the backend can is asked before anything is delivered.
            let prepared = delivery.prepared(for: try await backend.capabilities())
            let lost = try await backend.deliver(prepared).lost
            #expect(try await backend.preview(prepared).lost == lost)
            result = (String(cString: misbehaving_record()), lost)
        }
        return result
    }

    @Test(
        "an image is the icon where files are shown as icons only, or is said to be lost",
        arguments: ["lxqt-notificationd/lxqt.org", "naughty/awesome", "notify-osd/Canonical Ltd"]
    )
    func imagesAsIcons(server: String) async throws {
        let alone = try await show(on: server) { $0.image = .named("face") }
        #expect(alone.handed.contains("\nicon=face\nimage=\n"))
        #expect(alone.lost.map(\.feature) == [.image] && alone.lost[0].detail.contains("it is the icon"))
        let both = try await show(on: server) { ($0.image, $0.icon) = (.named("face"), .named("mail")) }
        #expect(both.handed.contains("\nicon=mail\nimage=\n") && both.lost.map(\.feature) == [.image])
        let pixels = NoticeImage.Pixels(width: 1, height: 1, hasAlpha: false, bytes: [1, 2, 3])
        let drawn = try await show(on: server) { $0.image = .pixels(pixels) }
        #expect(drawn.handed.contains("pixels 1x1") && drawn.lost.isEmpty)
    }

    @Test("a notice is not closed before xfce4-notifyd has drawn it; other servers are not waited for")
    func closedEarly() async throws {
        for (server, pause) in [("Xfce Notify Daemon/Xfce", Duration.milliseconds(240)), ("dunst/knopwob", .zero)] {
            try await onStage("server:\(server)") { backend, _ in
                _ = try await backend.capabilities()
                let receipt = try await backend.deliver(delivery("record") { _ in })
                let begun = ContinuousClock.now
                try await backend.withdraw(receipt)
                #expect(begun.duration(to: .now) >= pause)
            }
        }
    }

    @Test("what was shown too late is not withdrawn before xfce4-notifyd has drawn it")
    func withdrawnEarly() async throws {
        let app = "server:Xfce Notify Daemon/blocked"
        try await onStage(app, timeouts: .init(call: .seconds(1))) { backend, _ in
            _ = try await backend.capabilities()
            let late = try await failure { _ = try await backend.deliver(delivery("block") { _ in }) }
            #expect(late.code == .serverTimedOut)
            let begun = ContinuousClock.now
            misbehaving_release(app)
            while misbehaving_withdrawal_count(app) == 0, !Task.isCancelled { await Task.yield() }
            #expect(begun.duration(to: .now) >= .milliseconds(240))
        }
    }

    @Test("pixels are scaled down, and refused where their numbers don't fit") func scaledPixels() async throws {
        let large = NoticeImage.Pixels(
            width: 1024,
            height: 512,
            hasAlpha: true,
            bytes: Array(repeating: 7, count: 1024 * 512 * 4)
        )
        #expect(try await show(on: "dunst/knopwob") { $0.image = .pixels(large) }.handed.contains("pixels 256x128"))
        let short = NoticeImage.Pixels(width: 2, height: 2, hasAlpha: false, bytes: [1, 2, 3])
        for app in ["server:dunst/knopwob", "record"] {
            try await onStage(app) { backend, _ in
                _ = try await backend.capabilities()
                let error = try await failure {
                    _ = try await backend.deliver(delivery("record", { $0.image = .pixels(short) }))
                }
                #expect(error.code == .invalidContent)
            }
        }
    }

    @Test("elsewhere the image is an image") func images() async throws {
        let shown = try await show(on: "dunst/knopwob") { $0.image = .named("face") }
        #expect(shown.handed.contains("\nicon=\nimage=face\n") && shown.lost.isEmpty)
    }

    @Test("the click on the notice is asked for where no button is drawn for it; one reply field; labels")
    func actions() async throws {
        let click = "action 1 id=default\n title=Stage\n"
        let yes: Change = { $0.actions = [NoticeAction("yes", title: "")] }
        let gnome = try await show(on: "gnome-shell/GNOME", yes).handed
        #expect(gnome.contains(click) && gnome.contains("action 0 id=yes\n title=yes\n"))
        #expect(try await !show(on: "Xfce Notify Daemon/Xfce", yes).handed.contains(click))
        let osd = try await show(on: "notify-osd/Canonical Ltd", yes)
        #expect(!osd.handed.contains("action ") && osd.lost.map(\.feature) == [.actions])
        #expect(try await show(on: "mako/emersion", yes).lost.map(\.feature) == [.buttons])
    }

    @Test("a tag goes where it helps, never beside a number, and not where it costs the number") func tags()
        async throws
    {
        let tag = "key=x-canonical-private-synchronous\n string=org.example.Stage/record"
        let bar: Change = { $0.progress = 0.5 }
        #expect(try await show(on: "mako/emersion", bar).handed.contains(tag))
        let before = DeliveryReceipt(backend: "misbehaving", handle: "5", server: "run-1")
        #expect(try await !show(on: "mako/emersion", replaces: before, bar).handed.contains("synchronous"))
        let own: Change = { $0.desktop.hints = ["synchronous": .string("volume")] }
        #expect(try await show(on: "mako/emersion", own).handed.contains("key=synchronous\n string=volume"))
        for (server, receipt) in [("mako/emersion", before), ("notify-osd/Canonical Ltd", nil)] {
            let without = try await show(on: server, replaces: receipt, own)
            #expect(!without.handed.contains("synchronous") && without.lost.map(\.feature) == [.hint])
        }
        // Of a server that is gone there is no number.
        let void = DeliveryReceipt(backend: "misbehaving", handle: "5", server: "run-0")
        #expect(try await show(on: "mako/emersion", replaces: void) { _ in }.handed.contains(tag))
    }

    @Test("features and limits are those of plug-in and server together") func limits() async throws {
        try await onStage("server:gnome-shell/GNOME") { backend, _ in
            let known = try await backend.capabilities()
            #expect(known.server == "gnome-shell 1" && known.actionLimit == 3)
            #expect(known.titleLimit == 200 && known.bodyLimit == 1000)
            #expect(known.features.isSuperset(of: [.body, .markup, .actions, .icon, .image, .replacing]))
            #expect(known.features.isDisjoint(with: [.links, .expiry, .progress, .reply, .sound]))
        }
        let timed = try await show(on: "gnome-shell/GNOME") { $0.desktop.expiry = .after(.seconds(1)) }
        #expect(timed.lost.map(\.feature) == [.expiry])
    }
}
