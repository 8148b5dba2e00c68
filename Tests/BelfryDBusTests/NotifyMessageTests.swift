import Belfry
import BelfryBus
import BelfryServers
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryDBus

@Suite("The arguments of Notify", .takesTurns)
struct NotifyMessageTests {
    private func server(_ listed: String..., named name: String = "stub", of vendor: String = "") -> NotificationServer
    {
        NotificationServer(name: name, vendor: vendor, version: "1", capabilities: listed)
    }

    private func message(
        on server: NotificationServer,
        replaces: DeliveryReceipt? = nil,
        replacing id: UInt32 = 0,
        _ change: (inout NoticeContent) -> Void
    ) throws(NoticeError) -> NotifyMessage {
        try NotifyMessage(Stage.delivery("T", replaces: replaces, change), on: server, replacing: id)
    }

    private func hint(_ message: NotifyMessage, _ name: String) -> BusValue? { message.arguments[6][name] }
    private func actions(_ message: NotifyMessage) -> [String] { message.arguments[5].strings ?? [] }

    @Test("plain text that is escaped has as many bytes as a text may have, not less", arguments: ["\"", "'", "&"])
    func lengthOfPlainText(character: String) throws {
        let server = server("body", "body-markup")
        let delivery = Stage.delivery("T") { $0.body = String(repeating: character, count: 9_000) }
        let sent = try NotifyMessage(delivery.prepared(for: server.capabilities), on: server, replacing: 0)
        let length = try #require(sent.arguments[4].string).utf8.count
        #expect((8_187...8_192).contains(length), "\(length)")
    }

    @Test(
        "what escaped text was cut to, and from, is in characters",
        arguments: [NoticeContent.BodyFormat.plain, .markup]
    )
    func unitOfTheCut(format: NoticeContent.BodyFormat) throws {
        let server = server("body", "body-markup")
        let delivery = Stage.delivery("T") {
            $0.body = String(repeating: "'", count: 2_500)
            $0.bodyFormat = format
        }
        let sent = try NotifyMessage(delivery.prepared(for: server.capabilities), on: server, replacing: 0)
        let kept = try #require(sent.arguments[4].string).components(separatedBy: "&apos;").count - 1
        #expect(kept > 1_000)
        #expect(sent.lost.filter { $0.feature == .body }.map(\.detail) == ["cut to \(kept) of 2500 characters"])
    }

    @Test("an app's name and identifier are cleaned and cut like other texts, and the receipt says so")
    func hostileApp() throws {
        let server = server("actions", "body")
        var delivery = Stage.delivery("T")
        let hostile = "d\u{1B}[31mX\0\u{9B}" + String(repeating: "x", count: 100_000)
        delivery.app = AppIdentity(id: hostile, name: hostile, icon: .named(hostile))
        let sent = try NotifyMessage(delivery.prepared(for: server.capabilities), on: server, replacing: 0)
        let entry = try #require(hint(sent, "desktop-entry")?.string)
        for text in sent.arguments.compactMap(\.string) + actions(sent) + [entry] {
            #expect(text.utf8.count <= 8_192)
            #expect(!text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }))
        }
        #expect(sent.arguments[0].string?.hasPrefix("d[31mXxx") == true)
        #expect(entry.hasPrefix("d[31mXxx") && entry.utf8.count == 255)
        #expect(sent.lost.map(\.feature).contains(.title))
    }

    @Test("every hint of a field has the type of the specification") func types() throws {
        let file = "/some/file.png"
        let made = try message(on: server("actions", "action-icons", "sound")) { content in
            content.level = .critical
            content.desktop.isTransient = true
            content.desktop.isResident = true
            content.desktop.category = "im.received"
            content.progress = 0.256
            content.sound = .silent
            content.image = .file(file)
            content.actions = [NoticeAction("go", title: "Go", icon: "go-next")]
        }
        #expect(hint(made, "urgency") == .byte(2))
        #expect(hint(made, "transient") == .boolean(true) && hint(made, "resident") == .boolean(true))
        #expect(hint(made, "category") == .string("im.received"))
        #expect(hint(made, "desktop-entry") == .string("org.example.Stage"))
        #expect(hint(made, "sender-pid") == .int64(Int64(ProcessInfo.processInfo.processIdentifier)))
        #expect(hint(made, "value") == .int32(26))
        #expect(hint(made, "suppress-sound") == .boolean(true))
        #expect(hint(made, "image-path") == .string("file:///some/file.png"))
        // The server takes the keys for names of icons.
        #expect(hint(made, "action-icons") == .boolean(true))
        #expect(actions(made) == ["default", "Stage", "go-next", "Go"] && made.shown.identifiers == ["go-next": "go"])
        let sounds: [(NoticeSound, String, String)] = [
            (.standard, "sound-name", "message-new-instant"), (.named("bell"), "sound-name", "bell"),
            (.file("/x.oga"), "sound-file", "/x.oga"),
        ]
        for (sound, name, text) in sounds {
            #expect(hint(try message(on: server("sound")) { $0.sound = sound }, name) == .string(text))
        }
        #expect(hint(try message(on: server()) { $0.image = .named("face") }, "image-path") == .string("face"))
        let attached = try message(on: server("x-kde-urls")) {
            $0.attachments = [NoticeAttachment(id: "a", path: "/a b.txt")]
        }
        #expect(hint(attached, "x-kde-urls") == .strings(["file:///a%20b.txt"]) && attached.lost.isEmpty)
    }

    @Test("icons stand for actions only where every button has one of its own") func actionIcons() throws {
        let mixed = try message(on: server("actions", "action-icons")) {
            $0.actions = [NoticeAction("go", title: "Go", icon: "go-next"), NoticeAction("no", title: "No")]
        }
        #expect(hint(mixed, "action-icons") == nil)
        #expect(actions(mixed) == ["default", "Stage", "go", "Go", "no", "No"])
    }

    @Test(
        "a hint of the app's with another type is put right where its value allows it",
        arguments: [
            ("x", NoticeContent.Hint.int64(7), BusValue.int32(7)), ("y", .double(-3), .int32(-3)),
            ("value", .byte(50), .int32(50)), ("x-number", .int64(1), .int64(1)),
            ("suppress-sound", .int(1), .boolean(true)), ("transient", .uint(0), .boolean(false)),
            ("action-icons", .bool(true), .boolean(true)), ("x-own", .double(0.5), .double(0.5)),
            ("category", .string("device"), .string("device")),
        ]
    )
    func mended(name: String, given: NoticeContent.Hint, sent: BusValue) throws {
        #expect(hint(try message(on: server()) { $0.desktop.hints = [name: given] }, name) == sent)
    }

    @Test(
        "and else refused with the name, the type it has and the one it must have",
        arguments: [
            ("image-path", NoticeContent.Hint.int(1)), ("sound-file", .bool(true)), ("sound-name", .byte(1)),
            ("x", .string("7")),
            ("y", .double(0.5)), ("x", .int64(1 << 40)), ("image-data", .string("x")), ("image_data", .int(1)),
            ("icon_data", .int(1)), ("x-kde-urls", .string("file:///")), ("suppress-sound", .string("true")),
            ("resident", .int(2)), ("category", .int(1)), ("x-dunst-stack-tag", .int(1)), ("value", .string("50")),
        ]
    )
    func refused(name: String, given: NoticeContent.Hint) throws {
        let error = #expect(throws: NoticeError.self) { try message(on: server()) { $0.desktop.hints = [name: given] } }
        #expect(error?.code == .invalidContent && error?.message.contains("'\(name)'") == true)
        #expect(error?.isTransient == false)
    }

    @Test("a field of the content wins over a hint, and that is said") func overruled() throws {
        let made = try message(on: server()) {
            $0.desktop.hints = ["urgency": .string("9"), "sender-pid": .int(1), "value": .int(9), "x": .int(1)]
            $0.progress = 1
        }
        #expect(hint(made, "urgency") == .byte(1) && hint(made, "value") == .int32(100) && hint(made, "x") == .int32(1))
        #expect(made.lost.map(\.feature) == [.hint, .hint, .hint])
    }

    @Test("a tag goes where the server lists it, for what is changed in place, unless the app has set one") func tags()
        throws
    {
        let dunst = server("x-canonical-private-synchronous", "x-dunst-stack-tag")
        let tag = BusValue.string("org.example.Stage/T")
        #expect(hint(try message(on: dunst) { $0.progress = 0.5 }, "x-dunst-stack-tag") == tag)
        let swaync = server("synchronous", "x-canonical-private-synchronous")
        let before = DeliveryReceipt(backend: "dbus", handle: "1", server: "gone")
        let update = try message(on: swaync, replaces: before) { _ in }
        #expect(hint(update, "x-canonical-private-synchronous") == tag && hint(update, "x-dunst-stack-tag") == nil)
        #expect(hint(try message(on: dunst) { _ in }, "x-dunst-stack-tag") == nil)
        #expect(hint(try message(on: server()) { $0.progress = 0.5 }, "x-dunst-stack-tag") == nil)
        let own = try message(on: dunst) {
            $0.progress = 0.5
            $0.desktop.hints = ["synchronous": .string("volume")]
        }
        #expect(hint(own, "x-dunst-stack-tag") == nil && hint(own, "synchronous") == .string("volume"))
    }

    @Test("no tag goes beside a number, not even the app's own, which the receipt says") func tagsAndNumbers() throws {
        let mako = server("x-canonical-private-synchronous", "x-dunst-stack-tag", named: "mako")
        let before = DeliveryReceipt(backend: "dbus", handle: "1", server: "here")
        let update = try message(on: mako, replaces: before, replacing: 1) { $0.progress = 0.5 }
        #expect(Delivery.tagHints.allSatisfy { hint(update, $0) == nil } && update.lost.isEmpty)
        for name in Delivery.tagHints {
            let own = try message(on: mako, replaces: before, replacing: 1) {
                $0.desktop.hints = [name: .string("volume")]
            }
            #expect(hint(own, name) == nil && own.lost.map(\.feature) == [.hint])
            // Without a number the app's own wish stands.
            #expect(
                hint(try message(on: mako) { $0.desktop.hints = [name: .string("volume")] }, name) == .string("volume")
            )
        }
    }

    @Test("what may have been shown before says so, in a hint of Belfry's own") func possiblyRepeated() throws {
        var delivery = Stage.delivery("T")
        let plain = try NotifyMessage(delivery, on: server(), replacing: 0)
        #expect(hint(plain, NotifyMessage.Writer.repeatedHint) == nil)
        delivery.isPossiblyRepeated = true
        let repeated = try NotifyMessage(delivery, on: server(), replacing: 0)
        #expect(hint(repeated, NotifyMessage.Writer.repeatedHint) == .boolean(true) && repeated.lost.isEmpty)
    }

    @Test("the click on the notice is asked for where no button is drawn for it, and elsewhere where the app names it")
    func defaultAction() throws {
        let yes = NoticeAction("yes", title: "Yes")
        #expect(actions(try message(on: server("actions")) { _ in }) == ["default", "Stage"])
        #expect(actions(try message(on: server()) { _ in }).isEmpty)
        for (name, vendor) in [("Xfce Notify Daemon", "Xfce"), ("lxqt-notificationd", "lxqt.org")] {
            let drawing = server("actions", named: name, of: vendor)
            #expect(actions(try message(on: drawing) { _ in }).isEmpty)
            #expect(actions(try message(on: drawing) { $0.actions = [yes] }) == ["yes", "Yes"])
            let named = try message(on: drawing) { $0.actions = [NoticeAction("default", title: ""), yes] }
            #expect(actions(named) == ["default", "Stage", "yes", "Yes"])
        }
        let own = try message(on: server("actions")) { $0.actions = [yes, NoticeAction("default", title: "Read")] }
        #expect(actions(own) == ["yes", "Yes", "default", "Read"])
    }

    @Test("an identifier that servers give a meaning to, or choke on, has another key; the answer is the app's")
    func keys()
        throws
    {
        let long = String(repeating: "x", count: 65)
        let odd = ["settings", "belfry-action-1", "a\nb", long, "Inline-Reply", "plain"]
        let made = try message(on: server("actions")) {
            $0.actions = odd.map { NoticeAction($0, title: "") }
        }
        let keys = stride(from: 2, to: actions(made).count, by: 2).map { actions(made)[$0] }
        #expect(keys == (1...5).map { "belfry-action-\($0)" } + ["plain"])
        #expect(keys.map { made.shown.identifiers[$0] ?? $0 } == odd)
        #expect(actions(made)[9] == String(long.prefix(64)))
    }

    @Test("one reply field, a button for each further one; its texts go along") func reply() throws {
        let made = try message(on: server("actions", "inline-reply")) {
            $0.actions = ["a", "b"].map { NoticeAction($0, title: "Say \($0)", kind: .reply(placeholder: "what?")) }
        }
        #expect(actions(made) == ["default", "Stage", "inline-reply", "Say a", "b", "Say b"])
        #expect(hint(made, "x-kde-reply-placeholder-text") == .string("what?"))
        #expect(hint(made, "x-kde-reply-submit-button-text") == .string("Say a"))
        #expect(made.lost.map(\.feature) == [.reply])
    }

    @Test("what no server can do is said: threads, a level between, attachments, buttons in a menu") func losses()
        throws
    {
        let made = try message(on: server("actions", named: "mako")) {
            $0.thread = "family"
            $0.level = .timeSensitive
            $0.attachments = [
                NoticeAttachment(id: "a", path: "/a"), NoticeAttachment(id: "b", path: "/b"),
            ]
            $0.image = .file("/a")
            $0.actions = [NoticeAction("yes", title: "Yes")]
        }
        #expect(made.lost.map(\.feature) == [.buttons, .level, .thread, .attachment])
        #expect(made.lost.last?.detail == "attachments not shown: 1")
    }

    @Test(
        "the time on the screen is in whole milliseconds, none of which is cut off; only never is 0",
        arguments: [
            (.serverDefault, -1), (.never, 0), (.after(.nanoseconds(1)), 1), (.after(.seconds(-1)), 1),
            (.after(.seconds(1.1)), 1_100), (.after(.milliseconds(2_007)), 2_007),
            (.after(.microseconds(2_007_001)), 2_008), (.after(.seconds(Int64.max) * 4), .max),
        ] as [(NoticeContent.Desktop.Expiry, Int32)]
    )
    func expiry(_ expiry: NoticeContent.Desktop.Expiry, milliseconds: Int32) throws {
        let made = try message(on: server("body")) { $0.desktop.expiry = expiry }
        #expect(made.arguments.last == .int32(milliseconds))
    }
}
