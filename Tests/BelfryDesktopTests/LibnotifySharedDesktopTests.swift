import Belfry
import BelfryLibnotify
import BelfryPluginHost
import BelfryTestSupport
import BelfryTesting
import ConformanceStage
import Foundation
import Testing

/// libnotify has one instance a process and the desktop is one: these tests take turns.
@Suite(
    "libnotify against dunst",
    .sharesDesktop,
    .serialized,
    .enabled(if: Desktop.isThere, Comment(rawValue: Desktop.reason))
)
struct LibnotifySharedDesktopTests {
    static let app = AppIdentity(id: "org.example.DesktopTest", name: "Desktop Test")

    /// A center on the desktop. The server is fresh at the start, and may take its time on a busy machine.
    private func withCenter(
        app: AppIdentity = Self.app,
        timeouts: PluginBackend.Timeouts = .init(call: .seconds(28), pluginCall: .seconds(25)),
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws {
        _ = try? await Desktop.tool("server-stop")
        try await Desktop.tool("server-start")
        let center = NoticeCenter(app: app, backend: .libnotify(for: app, timeouts: timeouts))
        try await center.run(body)
    }

    @Test("The app's icon is shown where the content has none") func appIcon() async throws {
        var app = Self.app
        app.icon = .named("mail-unread")
        try await withCenter(app: app) { center in
            _ = try await center.show(NoticeRequest(id: "plain", title: "Plain"))
            // What dunst prints of it.
            let folder = ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_STATE"] ?? ""
            let log = try String(contentsOfFile: "\(folder)/server.log", encoding: .utf8)
            #expect(log.matches(of: /\n\ticon: '(.*)'\n/).last?.output.1 == "mail-unread")
        }
    }

    @Test("A popup appears: the picture differs from the empty screen, and the server has the text")
    func popup() async throws {
        try await withCenter { center in
            let before = try await Desktop.picture("empty")
            _ = try await center.show(
                NoticeRequest(id: "popup", title: "A popup appears", body: "1 < 2 & \"quotes\" stay")
            )
            #expect(try await Desktop.screen("popup", differsFrom: before, by: 1_000))
            #expect(try await Desktop.tool("shown").contains("A popup appears"))
        }
    }

    @Test("A scheduled request waits on the system's clock and appears") func scheduled() async throws {
        try await withCenter { center in
            let events = await center.events()
            let begun = ContinuousClock.now
            try await center.add(NoticeRequest(id: "soon", title: "Scheduled", trigger: .after(.milliseconds(300))))
            for await case .delivered(let notice) in events where notice.requestID == "soon" {
                #expect(ContinuousClock.now - begun >= .milliseconds(300))
                #expect(notice.late < .seconds(60))
                break
            }
            #expect(try await Desktop.tool("shown").contains("Scheduled"))
        }
    }

    @Test("A button pressed on the server comes back as a response", arguments: ["yes", "no", "default"])
    func action(_ key: String) async throws {
        try await withCenter { center in
            var content = NoticeContent(title: "Answer \(key)", body: "Please")
            content.actions = [
                NoticeAction("default", title: "Open"), NoticeAction("yes", title: "Yes"),
                NoticeAction("no", title: "No"),
            ]
            content.userInfo = ["ticket": 7]
            content.desktop.expiry = .never
            let responses = await center.responses()
            try await center.add(NoticeRequest(id: "answer", content: content))
            try await Desktop.tool("pick", "--wait", "60", "--title", "Answer \(key)", key)
            for await response in responses {
                #expect(response.requestID == "answer")
                #expect(response.kind == (key == "default" ? .opened : .action(key)))
                #expect(response.userInfo == ["ticket": 7])
                break
            }
            await center.quiet()
            #expect(try await center.delivered().isEmpty)
        }
    }

    @Test("Replacing keeps the server's number and the popup's place") func replacing() async throws {
        try await withCenter { center in
            var content = NoticeContent(title: "Progress", body: "0 %")
            content.progress = 0
            content.desktop.expiry = .never
            let first = try await center.show(NoticeRequest(id: "bar", content: content))
            content.progress = 0.5
            content.body = "50 %"
            let second = try await center.show(NoticeRequest(id: "bar", content: content))
            #expect(first.receipt.handle == second.receipt.handle)
            #expect(first.receipt.server == second.receipt.server)
            #expect(try await center.delivered().count == 1)
        }
    }

    @Test("Closing closes, and a closing by the person is told with its reason") func closing() async throws {
        try await withCenter { center in
            let empty = try await Desktop.picture("closed-before")
            var content = NoticeContent(title: "To be closed", body: "by the app")
            content.desktop.expiry = .never
            _ = try await center.show(NoticeRequest(id: "closing", content: content))
            try await center.removeDelivered(["closing"])
            #expect(try await center.delivered().isEmpty)
            #expect(try await Desktop.screen("closed-after", differsFrom: empty, by: 0))

            let events = await center.events()
            content.body = "by the person"
            _ = try await center.show(NoticeRequest(id: "dismissed", content: content))
            _ = try await Desktop.run("/usr/bin/dunstctl", ["close"])
            for await case .history(let entry) in events
            where entry.requestID == "dismissed" && entry.outcome == .closed {
                #expect(entry.detail == "dismissed (2)")
                break
            }
        }
    }

    @Test("Without a server the error says so within seconds, and a request waits until one comes") func serverAway()
        async throws
    {
        try await withCenter { center in
            try await Desktop.tool("server-stop")
            let begun = ContinuousClock.now
            let error = await #expect(throws: NoticeError.self) {
                try await center.show(NoticeRequest(id: "now", title: "Nobody there"))
            }
            #expect(error?.code == .noServer)
            #expect(ContinuousClock.now - begun < .seconds(20))

            let events = await center.events()
            try await center.add(NoticeRequest(id: "kept", title: "Kept until the server came"))
            for await case .history(let entry) in events where entry.requestID == "kept" {
                #expect(entry.outcome == .retrying)
                break
            }
            try await Desktop.tool("server-start")
            for await case .delivered(let notice) in events where notice.requestID == "kept" { break }
            #expect(try await Desktop.tool("shown").contains("Kept until the server came"))
        }
    }

    @Test("A server that crashes takes its notices with it; its numbers are not used again") func serverCrash()
        async throws
    {
        try await withCenter { center in
            let events = await center.events()
            var content = NoticeContent(title: "Before the crash")
            content.desktop.expiry = .never
            let first = try await center.show(NoticeRequest(id: "same", content: content))
            try await Desktop.tool("server-stop", "--crash")
            for await case .history(let entry) in events where entry.outcome == .closed {
                #expect(entry.requestID == "same")
                break
            }
            #expect(try await center.delivered().isEmpty)
            try await Desktop.tool("server-start")
            let second = try await center.show(NoticeRequest(id: "same", content: content))
            #expect(first.receipt.server != second.receipt.server)
        }
    }

    @Test("A server that never answers costs seconds, not a hang") func frozen() async throws {
        try await withCenter(timeouts: .init(call: .seconds(6), pluginCall: .seconds(2))) { center in
            try await Desktop.tool("server-freeze")
            let begun = ContinuousClock.now
            let error = await #expect(throws: NoticeError.self) {
                try await center.show(NoticeRequest(id: "frozen", title: "Nobody answers"))
            }
            #expect(error?.code == .serverTimedOut)
            #expect(ContinuousClock.now - begun < .seconds(20))
            try await Desktop.tool("server-thaw")
        }
    }

    @Test("Everything that libnotify can send is sent, and what was lost is named") func everything() async throws {
        try await withCenter { center in
            var content = NoticeContent(
                title: "All of it",
                subtitle: "Subtitle",
                body: "<b>Bold</b> <blink>text</blink>"
            )
            content.bodyFormat = .markup
            content.icon = .named("dialog-information")
            content.image = .pixels(
                NoticeImage.Pixels(
                    width: 16,
                    height: 16,
                    hasAlpha: true,
                    bytes: Array(repeating: 200, count: 16 * 16 * 4)
                )
            )
            content.sound = .silent
            content.level = .critical
            content.actions = (0..<32).map { NoticeAction("a\($0)", title: "Action \($0)") }
            content.progress = 0.25
            content.desktop.isTransient = true
            content.desktop.isResident = true
            content.desktop.category = "im.received"
            content.desktop.hints = ["x-belfry-test": .int(5)]
            content.desktop.expiry = .after(.seconds(60))
            let notice = try await center.show(NoticeRequest(id: "all", content: content))
            let lost = Set(notice.receipt.lost.map(\.feature))
            // dunst has a menu.
            #expect(lost == [.buttons], "\(notice.receipt.lost)")
            try await center.removeAllDelivered()

            let long = NoticeContent(
                title: "A megabyte \u{0} of body",
                body: String(repeating: "word ", count: 200_000)
            )
            let cut = try await center.show(NoticeRequest(id: "long", content: long))
            #expect(Set(cut.receipt.lost.map(\.feature)).isSuperset(of: [.body, .controlCharacters]))
        }
    }
}
