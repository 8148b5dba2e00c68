import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryTerminal

@Suite("What a terminal can't be told is said in words", .takesTurns)
struct TerminalLossTests {
    private static let kitty = TerminalProfile(
        name: "kitty",
        sequence: .osc99,
        support: KittySupport([
            "a": "focus,report", "c": "1", "p": "title,body,buttons,icon,close", "s": "system,silent", "u": "0,1,2",
            "w": "1",
        ])
    )
    private static let ghostty = TerminalProfile(name: "ghostty", sequence: .osc777)

    private func message(
        _ profile: TerminalProfile,
        listens: Bool = true,
        _ change: (inout NoticeContent) -> Void
    ) -> TerminalMessage {
        var content = NoticeContent(title: "Tea", body: "Ready")
        change(&content)
        var profile = profile
        profile.isListening = listens
        return TerminalMessage(makeDelivery(content), id: "belfry-1", for: profile)
    }

    private func lost(
        _ profile: TerminalProfile,
        listens: Bool = true,
        _ change: (inout NoticeContent) -> Void
    ) -> [String] { message(profile, listens: listens, change).lost.map { "\($0.feature.rawValue): \($0.detail)" } }

    @Test("Urgency and time, where the terminal has neither and where it has both")
    func levels() {
        func critical(_ content: inout NoticeContent) {
            (content.level, content.desktop.expiry) = (.critical, .after(.milliseconds(1_500)))
        }
        #expect(
            lost(Self.ghostty, critical) == [
                "level: the terminal knows no urgency", "expiry: the terminal decides how long it shows a notice",
            ]
        )
        let told = message(Self.kitty, critical)
        #expect(told.lost.isEmpty)
        #expect(told.commands[0].text.contains(":u=2:") && told.commands[0].text.contains(":w=1500"))
    }

    @Test("A level between active and critical is active even to a terminal with urgencies, and the receipt says so")
    func betweenLevels() {
        let urgent = message(Self.kitty) { $0.level = .timeSensitive }
        #expect(urgent.commands[0].text.contains(":u=1:"))
        #expect(urgent.lost.map(\.detail) == ["the terminal has no level between active and critical"])
        #expect(lost(Self.ghostty) { $0.level = .timeSensitive } == ["level: the terminal knows no urgency"])
        for level in [InterruptionLevel.passive, .active, .critical] {
            #expect(lost(Self.kitty) { $0.level = level } == [], "\(level)")
        }
    }

    @Test("What is the desktop's alone")
    func desktop() {
        let all = lost(Self.kitty) { content in
            content.desktop.isResident = true
            content.desktop.isTransient = true
            content.desktop.isPersistent = true
            content.desktop.privacy = .hidden
            content.desktop.hints = ["x-b": .bool(true), "x-a": .int(1)]
            content.attachments = [NoticeAttachment(id: "a", path: "/a")]
        }
        #expect(
            all == [
                "resident: the terminal decides whether a response closes the notice",
                "transient: the terminal has no option for it",
                "persistent: the terminal has no option for it", "privacy: the terminal has no option for it",
                "hint: a terminal takes no hints: x-a, x-b", "attachment: a terminal takes no files",
            ]
        )
    }

    @Test("Icons and sounds go by name; files stay behind, and how silent or usual a sound is, is told")
    func pictures() {
        #expect(
            lost(Self.kitty) { ($0.icon, $0.sound) = (.file("/a.png"), .file("/a.oga")) } == [
                "icon: the terminal is sent icons by name alone", "sound: the terminal plays sounds by name alone",
            ]
        )
        let sounds: [(NoticeSound, String)] = [
            (.silent, "c2lsZW50"), (.standard, "c3lzdGVt"), (.named("bell"), "YmVsbA=="),
        ]
        for (sound, key) in sounds {
            #expect(message(Self.kitty) { $0.sound = sound }.commands[0].text.contains(":s=\(key)"), "\(sound)")
        }
        #expect(message(Self.kitty) { $0.icon = .named("tea") }.commands[0].text.contains(":n=dGVh"))
    }

    @Test("A sound that a terminal without sounds can't play is lost once")
    func losesSoundOnce() {
        var silent = Self.kitty
        silent.support = KittySupport(["p": "title,body"])
        for sound in [NoticeSound.file(#filePath), .named("bell")] {
            let delivery = makeDelivery(NoticeContent(title: "Tea", sound: sound))
            let prepared = delivery.prepared(for: silent.capabilities)
            let lost = TerminalMessage(prepared, id: "belfry-1", for: silent).lost
            #expect(lost.map(\.feature) == [.sound], "\(sound)")
        }
    }

    @Test("A dismissal that nobody will hear of, and a notice that can't be named again")
    func reports() {
        #expect(lost(Self.kitty) { $0.reportsDismissal = true } == [])
        let unheard = ["dismissal: the terminal does not report it"]
        #expect(lost(Self.kitty, listens: false) { $0.reportsDismissal = true } == unheard)
        #expect(lost(Self.ghostty) { $0.reportsDismissal = true } == unheard)
        let old = DeliveryReceipt(backend: "terminal", handle: "1")
        let again = makeDelivery(replaces: old)
        let named = TerminalMessage(again, id: "belfry-1", for: Self.kitty)
        #expect(named.lost.isEmpty)
        let unnamed = TerminalMessage(again, id: "belfry-1", for: Self.ghostty)
        #expect(unnamed.lost.map(\.detail) == ["the terminal names no notices"])
    }

    @Test("Buttons that nobody would hear of are not shown, and the receipt says so")
    func unheardButtons() {
        let unheard = message(Self.kitty, listens: false) { $0.actions = [NoticeAction("yes", title: "Yes")] }
        #expect(unheard.commands.allSatisfy { !$0.text.contains(":p=buttons:") })
        #expect(unheard.lost.map(\.description) == ["actions: the terminal does not report responses"])
    }

    @Test(
        "Buttons without a title have one: the terminal would skip them, and answer with another's number"
    )
    func emptyButtons() throws {
        let actions = [("yes", "Yes"), ("no", ""), ("", "")].map { NoticeAction($0, title: $1) }
        let buttons = try #require(message(Self.kitty) { $0.actions = actions }.commands.last?.text)
        let encoded = try #require(buttons.split(separator: ";").last)
        #expect(buttons.contains(":p=buttons:"))
        #expect(Data(base64Encoded: String(encoded)) == Data("Yes\u{2028}no\u{2028}-".utf8))
    }

    @Test(
        "Why tmux would pass nothing on is told with what to write into its file",
        arguments: [
            (
                "off\tfoot\tfoot\t1\t1",
                "tmux passes no notices on: write 'set -g allow-passthrough all' into ~/.tmux.conf."
            ),
            (
                "on\tfoot\tfoot\t0\t1",
                "tmux passes nothing on from a window that is not shown: write 'set -g allow-passthrough all' into "
                    + "~/.tmux.conf (tmux 3.4)."
            ),
            ("all\tfoot\tfoot\t1\t0", "tmux is shown on no terminal: its session is detached."),
            ("no server", "tmux does not say which terminal it is shown on."),
        ]
    )
    func tmux(line: String, expected: String) {
        let error = #expect(throws: NoticeError.self) { try TmuxClient(line) }
        #expect(error?.message == expected && error?.code == .unsupported)
    }

    @Test("A terminal that shows no notices is named, and how one that does would be told")
    func unknown() async throws {
        let terminal = try ScriptedTerminal(.init(name: "XTerm(379)"))
        let plain = await #expect(throws: NoticeError.self) {
            try await terminal.backend(environment: ["TERM": "linux"]).capabilities()
        }
        #expect(plain?.message == "The terminal 'linux' (TERM) shows no notices.")
        let unknown = await #expect(throws: NoticeError.self) { try await terminal.backend().capabilities() }
        #expect(
            unknown?.message
                == "This terminal is not known to show notices. Where it does, say how: "
                + "--backend terminal:osc99 or :osc777 or :osc9."
        )
        let none = await #expect(throws: NoticeError.self) {
            try await TerminalBackend(device: "/nonexistent", environment: ["TERM": "foot"]).capabilities()
        }
        #expect(none?.message == "There is no terminal: '/nonexistent' can't be opened.")
    }
}
