import Belfry
import BelfryBus
import BelfryServers
import BelfryTestSupport
import Testing

@testable import BelfryDBus

/// Each row of the table with the list of capabilities that the server of Debian 12 gives.
@Suite("The table of known servers", .takesTurns)
struct KnownServersTests {
    typealias Feature = DeliveryCapabilities.Feature

    private func check(
        _ server: NotificationServer,
        can: Set<Feature>,
        canNot: Set<Feature>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(KnownServer.all.contains(server.known), "not in the table", sourceLocation: sourceLocation)
        #expect(server.features.isSuperset(of: can), sourceLocation: sourceLocation)
        #expect(server.features.isDisjoint(with: canNot), sourceLocation: sourceLocation)
    }

    private func message(
        on server: NotificationServer,
        _ change: (inout NoticeContent) -> Void
    ) throws -> NotifyMessage { try NotifyMessage(Stage.delivery("T", change), on: server, replacing: 0) }

    private func lost(on server: NotificationServer, _ change: (inout NoticeContent) -> Void) throws
        -> [DeliveryReceipt.LostFeature.Feature]
    { try message(on: server, change).lost.map(\.feature) }

    private let buttons = [NoticeAction("yes", title: "Yes")]

    private func server(_ name: String, _ vendor: String, _ version: String, _ listed: String) -> NotificationServer {
        NotificationServer(
            name: name,
            vendor: vendor,
            version: version,
            capabilities: listed.split(separator: " ").map(String.init)
        )
    }

    @Test("dunst draws a bar, and neither buttons nor addresses of links") func dunst() throws {
        let dunst = server(
            "dunst",
            "knopwob",
            "1.9.0 (2022-06-27)",
            "actions body body-hyperlinks body-markup icon-static synchronous private-synchronous "
                + "x-canonical-private-synchronous x-dunst-stack-tag"
        )
        check(dunst, can: [.progress, .icon, .image, .markup, .actions, .expiry], canNot: [.links, .reply, .sound])
        #expect(dunst.tagHint == "x-dunst-stack-tag")
        #expect(try lost(on: dunst) { $0.actions = buttons } == [.buttons])
        #expect(try lost(on: dunst) { $0.actions = [NoticeAction("default", title: "")] } == [])
    }

    @Test("notification-daemon lists links and shows their markup raw") func notificationDaemon() {
        let daemon = server(
            "Notification Daemon",
            "GNOME",
            "3.20.0",
            "action-icons actions body body-hyperlinks body-markup icon-static persistence sound"
        )
        check(daemon, can: [.markup, .sound, .actionIcons, .persistence], canNot: [.links, .progress])
        #expect(daemon.known.vendor == "GNOME" && daemon.capabilities.bodyLimit == 2000)
    }

    @Test("xfce4-notifyd hides the text of a notice with a bar, draws the default action, keeps what is critical")
    func xfce() throws {
        let xfce = server(
            "Xfce Notify Daemon",
            "Xfce",
            "0.7.3",
            "action-icons actions body body-hyperlinks body-markup icon-static x-canonical-private-icon-only"
        )
        check(xfce, can: [.links, .markup, .actions], canNot: [.progress, .sound, .reply])
        let bar = try message(on: xfce) { $0.progress = 0.5 }
        #expect(bar.arguments[6]["value"] == nil)
        let own = try message(on: xfce) { $0.desktop.hints = ["value": .int(50)] }
        #expect(own.arguments[6]["value"] == nil && own.lost.map(\.feature) == [.hint])
        #expect(try message(on: xfce) { _ in }.arguments[5] == .strings([]))
        let urgent = try lost(on: xfce) { ($0.level, $0.desktop.expiry) = (.critical, .after(.seconds(5))) }
        #expect(urgent == [.expiry])
        #expect(try lost(on: xfce) { ($0.level, $0.desktop.expiry) = (.critical, .never) } == [])
        #expect(xfce.known.silence == .xfconf)
    }

    @Test("mate's server hangs on long words, and calls closing by hand expired") func mate() throws {
        let mate = server(
            "Notification Daemon",
            "MATE",
            "1.26.0",
            "action-icons actions body body-hyperlinks body-markup icon-static sound"
        )
        check(mate, can: [.links, .markup, .sound], canNot: [.progress])
        let limits = mate.capabilities
        #expect((limits.titleLimit ?? .max) + (limits.bodyLimit ?? .max) < 1024)
        var shown = try message(on: mate) { $0.desktop.expiry = .never }.shown
        _ = shown.take("NotificationClosed", .uint32(1))
        let reference = DeliveryReceipt.Reference(handle: "1")
        #expect(
            shown.settle(as: reference) == [.closed(reference, NoticeResponse.CloseReason(.dismissed, rawValue: 1))]
        )
        var brief = try message(on: mate) { $0.desktop.expiry = .after(.seconds(1)) }.shown
        _ = brief.take("NotificationClosed", .uint32(1))
        #expect(brief.settle(as: reference) == [.closed(reference, .expired)])
    }

    @Test("lxqt's server draws the default action as a button, no bar, and files as icons") func lxqt() throws {
        let lxqt = server(
            "lxqt-notificationd",
            "lxqt.org",
            "1.2.0",
            "actions body body-hyperlinks body-images body-markup persistence"
        )
        check(lxqt, can: [.bodyImages, .links, .icon, .image, .expiry], canNot: [.progress, .sound])
        #expect(try message(on: lxqt) { $0.actions = buttons }.arguments[5] == .strings(["yes", "Yes"]))
        let picture = try message(on: lxqt) { $0.image = .file("/a b.png") }
        #expect(picture.arguments[2] == .string("file:///a%20b.png") && picture.arguments[6]["image-path"] == nil)
        #expect(picture.lost.map(\.detail) == ["lxqt-notificationd shows no images of files: it is the icon"])
        let both = try message(on: lxqt) { ($0.image, $0.icon) = (.named("face"), .named("mail")) }
        #expect(both.arguments[2] == .string("mail") && both.lost.map(\.feature) == [.image])
    }

    @Test("Cinnamon keeps its own time, and gives no reason for what was closed by hand") func cinnamon() throws {
        let cinnamon = server("cinnamon", "GNOME", "6.6.9", "actions body body-markup icon-static persistence sound")
        check(cinnamon, can: [.actions, .markup], canNot: [.expiry, .progress])
        #expect(try lost(on: cinnamon) { $0.desktop.expiry = .after(.seconds(1)) } == [.expiry])
        var shown = try message(on: cinnamon) { _ in }.shown
        _ = shown.take("NotificationClosed", .uint32(0))
        let reference = DeliveryReceipt.Reference(handle: "1")
        #expect(
            shown.settle(as: reference) == [.closed(reference, NoticeResponse.CloseReason(.dismissed, rawValue: 0))]
        )
    }

    @Test("Budgie leaves out the button behind the default action: none is behind it") func budgie() throws {
        let budgie = server("Budgie Notification Server", "Budgie", "10.9.2", "actions body body-markup")
        check(budgie, can: [.actions], canNot: [.progress])
        let own = [NoticeAction("default", title: "Open"), NoticeAction("yes", title: "Yes")]
        #expect(
            try message(on: budgie) { $0.actions = own }.arguments[5] == .strings(["yes", "Yes", "default", "Open"])
        )
        let added = try message(on: budgie) { $0.actions = buttons }.arguments[5].strings
        #expect(added?.prefix(3) == ["yes", "Yes", "default"])
    }

    @Test("what a locked screen may show is a hint to GNOME, and a loss elsewhere") func privacy() throws {
        let gnome = server("gnome-shell", "GNOME", "48.7", "actions body body-markup icon-static persistence sound")
        let scopes = try NoticeContent.Desktop.Privacy.allCases.map { privacy in
            try message(on: gnome) { $0.desktop.privacy = privacy }.arguments[6]["x-gnome-privacy-scope"]?.string
        }
        #expect(scopes == ["system", "user", "user"])
        #expect(try lost(on: gnome) { $0.desktop.privacy = .visible } == [])
        #expect(try lost(on: gnome) { $0.desktop.privacy = .hidden } == [.privacy])
        let both = try message(on: gnome) {
            $0.desktop.privacy = .visible
            $0.desktop.hints["x-gnome-privacy-scope"] = .string("user")
        }
        #expect(both.arguments[6]["x-gnome-privacy-scope"] == .string("system") && both.lost.map(\.feature) == [.hint])
        let stranger = server("Stranger", "", "1", "body")
        #expect(
            try lost(on: stranger) {
                $0.desktop.privacy = .visible
                $0.desktop.isPersistent = true
            } == [.persistent, .privacy]
        )
    }

    @Test("mako lists actions and draws no buttons") func mako() throws {
        let mako = server(
            "mako",
            "emersion",
            "0.0.0",
            "actions body body-markup icon-static x-canonical-private-synchronous x-dunst-stack-tag"
        )
        check(mako, can: [.actions, .progress, .markup], canNot: [.links, .sound])
        #expect(mako.known.silence == .mako)
        #expect(try lost(on: mako) { $0.actions = buttons } == [.buttons])
    }

    @Test("swaync stacks by tag, draws a bar, takes images by their path, and has its own do-not-disturb")
    func swaync() throws {
        let swaync = server(
            "SwayNotificationCenter",
            "ErikReider",
            "0.7.3",
            "actions body body-images body-markup persistence synchronous private-synchronous "
                + "x-canonical-private-synchronous"
        )
        check(swaync, can: [.actions, .bodyImages, .persistence, .progress], canNot: [.links, .reply])
        let picture = try message(on: swaync) { ($0.image, $0.progress) = (.file("/a b.png"), 0.6) }
        #expect(picture.arguments[6]["image-path"] == .string("/a b.png") && picture.lost.isEmpty)
        #expect(swaync.tagHint == "x-canonical-private-synchronous" && swaync.known.silence == .swaync)
    }

    @Test("notify-osd gets no actions, not even the click: it would open a dialog over everything") func notifyOSD()
        throws
    {
        let osd = server(
            "notify-osd",
            "Canonical Ltd",
            "1.0",
            "append body body-markup icon-static image/svg+xml private-icon-only private-synchronous truncation "
                + "x-canonical-append x-canonical-private-icon-only x-canonical-private-synchronous x-canonical-truncation"
        )
        check(osd, can: [.body, .icon], canNot: [.actions, .expiry, .links, .sound, .markup])
        #expect(osd.tagHint == nil)
        // It takes entities apart all the same.
        #expect(try message(on: osd) { $0.body = "a < b" }.arguments[4] == .string("a &lt; b"))
        #expect(try message(on: osd) { $0.image = .named("face") }.arguments[2] == .string("face"))
        #expect(try message(on: osd) { $0.actions = buttons }.arguments[5] == .strings([]))
        #expect(try lost(on: osd) { $0.desktop.expiry = .never } == [.expiry])
    }

    @Test("awesome takes pixels under their former name, and files as icons") func awesome() throws {
        let awesome = server("naughty", "awesome", "v4.3", "body body-markup icon-static actions")
        check(awesome, can: [.actions, .markup, .icon, .image], canNot: [.links, .sound])
        let pixels = NoticeImage.Pixels(width: 1, height: 1, hasAlpha: false, bytes: [255, 0, 0])
        let picture = try message(on: awesome) { $0.image = .pixels(pixels) }
        #expect(picture.arguments[6]["image_data"] == pixels.hint && picture.arguments[6]["image-data"] == nil)
        #expect(try message(on: awesome) { $0.image = .file("/a.png") }.arguments[2] == .string("file:///a.png"))
    }

    @Test("GNOME Shell has three buttons, its own times, and shows links raw") func gnome() throws {
        let gnome = server("gnome-shell", "GNOME", "43.9", "actions body body-markup icon-static persistence sound")
        check(gnome, can: [.actions, .markup, .sound, .persistence, .image], canNot: [.links, .expiry, .progress])
        #expect(gnome.capabilities.actionLimit == 3)
        #expect(try lost(on: gnome) { $0.desktop.expiry = .after(.seconds(1)) } == [.expiry])
        #expect(
            try message(on: gnome) { $0.actions = buttons }.arguments[5]
                == .strings(["default", "Stage", "yes", "Yes"])
        )
    }

    @Test("Plasma has a field to reply in, draws no bar, plays no sound, keeps what is critical") func plasma() throws {
        let plasma = server(
            "Plasma",
            "KDE",
            "5.27.5",
            "actions body body-hyperlinks body-images body-markup icon-static inhibitions inline-reply persistence "
                + "x-kde-display-appname x-kde-origin-name x-kde-urls"
        )
        check(plasma, can: [.reply, .links, .bodyImages, .image], canNot: [.progress, .sound])
        #expect(plasma.known.silence == .inhibited)
        #expect(
            try lost(on: plasma) { ($0.level, $0.desktop.expiry) = (.critical, .after(.milliseconds(800))) } == [
                .expiry
            ]
        )
        // Far below the mebibyte that freezes it.
        #expect((plasma.capabilities.bodyLimit ?? .max) <= 2000)
    }

    @Test("a stranger is taken at its word, within bounds that every server bears") func stranger() {
        let stranger = server("who", "knows", "", "body actions inhibitions")
        #expect(stranger.features.isSuperset(of: [.body, .actions, .expiry, .icon]))
        #expect(stranger.features.isDisjoint(with: [.markup, .links, .reply, .progress, .sound]))
        #expect(stranger.capabilities.server == "who" && stranger.capabilities.bodyLimit == 2000)
        #expect(stranger.known.silence == .inhibited)
        #expect(server("", "", "", "").capabilities.server == "an unnamed server")
    }

    @Test("no two rows are for the same server") func rows() {
        let names = KnownServer.all.map { "\($0.name.lowercased())/\($0.vendor?.lowercased() ?? "")" }
        #expect(Set(names).count == names.count && names.count == 13)
    }
}
