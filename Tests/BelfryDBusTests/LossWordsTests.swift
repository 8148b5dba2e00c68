import Belfry
import BelfryBus
import BelfryServers
import BelfryTestSupport
import Testing

@testable import BelfryDBus

/// Which features each server of the table has is tested in ``KnownServersTests``.
@Suite("What a server does not get is told in words, with the server's name", .takesTurns)
struct LossWordsTests {
    private func server(_ name: String, _ vendor: String = "", _ listed: String = "actions body body-markup")
        -> NotificationServer
    {
        NotificationServer(
            name: name,
            vendor: vendor,
            version: "1",
            capabilities: listed.split(separator: " ").map(String.init)
        )
    }

    private func lost(
        on server: NotificationServer,
        replacing id: UInt32 = 0,
        _ change: (inout NoticeContent) -> Void
    ) throws -> [String] {
        try NotifyMessage(Stage.delivery("T", change), on: server, replacing: id).lost.map(\.detail)
    }

    @Test("How long a notice stands, and whether it can be closed") func time() throws {
        let gnome = try lost(on: server("gnome-shell", "GNOME")) { $0.desktop.expiry = .after(.seconds(1)) }
        #expect(gnome == ["gnome-shell decides itself how long it shows a notice"])
        let plasma = server("Plasma", "KDE")
        let critical = try lost(on: plasma) { ($0.level, $0.desktop.expiry) = (.critical, .after(.seconds(1))) }
        #expect(critical == ["Plasma keeps what is critical until it is closed"])
        #expect(try lost(on: plasma) { $0.desktop.expiry = .after(.seconds(1)) } == [])
        let kept = try lost(on: plasma) { $0.desktop.isPersistent = true }
        #expect(kept == ["Plasma lets every notice be closed by hand"])
    }

    @Test("What a locked screen shows") func privacy() throws {
        let gnome = try lost(on: server("gnome-shell", "GNOME")) { $0.desktop.privacy = .hidden }
        #expect(gnome == ["gnome-shell hides the texts, not that there is a notice"])
        let dunst = try lost(on: server("dunst")) { $0.desktop.privacy = .contentHidden }
        #expect(dunst == ["dunst has no such wish"])
    }

    @Test("Levels, threads and attachments, which no server has, unless it takes addresses of files") func everywhere()
        throws
    {
        func change(_ content: inout NoticeContent) {
            (content.level, content.thread) = (.timeSensitive, "family")
            content.attachments = ["/a", "/b"].map { NoticeAttachment(id: $0, path: $0) }
        }
        let level = "desktops have no level between active and critical"
        let thread = "notification servers don't sort by threads"
        #expect(try lost(on: server("dunst"), change) == [level, thread, "attachments not shown: 2"])
        #expect(try lost(on: server("Plasma", "KDE", "body x-kde-urls"), change) == [level, thread])
    }

    @Test("Buttons that are in a menu alone, and all reply fields but the first") func buttons() throws {
        let yes = [NoticeAction("yes", title: "Yes")]
        #expect(
            try lost(on: server("mako", "emersion")) { $0.actions = yes }
                == ["mako draws no buttons: the actions are in its menu"]
        )
        let plasma = server("Plasma", "KDE", "actions body inline-reply")
        let fields = ["a", "b"].map { NoticeAction($0, title: $0, kind: .reply(placeholder: "")) }
        #expect(try lost(on: plasma) { $0.actions = fields } == ["'b' is a button: there is one reply field"])
    }

    @Test("A picture that is the icon, or gives way to one") func pictures() throws {
        let lxqt = server("lxqt-notificationd", "lxqt.org")
        let alone = try lost(on: lxqt) { $0.image = .named("face") }
        #expect(alone == ["lxqt-notificationd shows no images of files: it is the icon"])
        let beside = try lost(on: lxqt) { ($0.image, $0.icon) = (.named("face"), .named("mail")) }
        #expect(beside == ["lxqt-notificationd shows no images of files: the icon is shown without it"])
    }

    @Test("Hints that would do harm, or that a field of the content overrules") func hints() throws {
        let xfce = try lost(on: server("Xfce Notify Daemon")) { $0.desktop.hints = ["value": .int(50)] }
        #expect(xfce == ["'value' is not sent: Xfce Notify Daemon would hide the text"])
        let tag = "x-dunst-stack-tag"
        let mako = try lost(on: server("mako"), replacing: 1) { $0.desktop.hints = [tag: .string("volume")] }
        #expect(mako == ["'\(tag)' is not sent: the notice takes the place of the former one by its number"])
        let gnome = try lost(on: server("gnome-shell", "GNOME")) {
            $0.desktop.privacy = .visible
            $0.desktop.hints = ["x-gnome-privacy-scope": .string("user")]
        }
        #expect(gnome == ["'x-gnome-privacy-scope' is not sent: a field of the content says it"])
    }

    @Test("A plug-in sends no tag to a server that gives what has one no number") func tagsOfPlugins() throws {
        let osd = server("notify-osd", "Canonical Ltd", "body private-synchronous")
        let delivery = Stage.delivery("T") { $0.desktop.hints = ["private-synchronous": .string("volume")] }
        let adapted = try delivery.adapted(to: osd, replacesByNumber: false, by: .plugin)
        #expect(adapted.content.desktop.hints.isEmpty)
        let reason = "'private-synchronous' is not sent: notify-osd gives no number to what has it"
        #expect(adapted.lost.map(\.detail) == [reason])
        let sent = try delivery.adapted(to: osd, replacesByNumber: false, by: .bus)
        #expect(sent.content.desktop.hints == ["private-synchronous": .string("volume")] && sent.lost.isEmpty)
    }
}
