import Belfry
import BelfryBus
import BelfryDBus
import BelfryTestSupport
import Foundation
import Testing

private let environment = ProcessInfo.processInfo.environment

@Suite(
    "The D-Bus backend against dunst",
    .sharesDesktop,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: environment["BELFRY_TEST_DESKTOP"] == "1" && environment["DISPLAY"] != nil,
        "no private desktop with a screen: run the tests with make test, or in .ci/desktop"
    )
)
struct DunstSharedDesktopTests {
    /// Runs one of the desktop's tools.
    private func tool(_ name: String, _ arguments: String...) async throws -> String {
        try await output(of: "\(environment["BELFRY_TEST_DESKTOP_DIR"] ?? "")/\(name)", arguments)
    }

    private func withCenter(
        icon: NoticeIcon? = nil,
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws {
        _ = try? await tool("server-stop")
        _ = try await tool("server-start")
        let app = AppIdentity(id: "org.example.Stage", name: "Stage", icon: icon)
        let center = NoticeCenter(app: app, backend: DBusBackend())
        try await center.run(body)
    }

    @Test("text arrives as it was written, and a second one takes the first one's place")
    func showing() async throws {
        try await withCenter { center in
            let first = try await center.show(NoticeRequest(id: "one", title: "Tom & Jerry", body: "1 < 2 & \"so\""))
            #expect(first.receipt.backend == "dbus" && first.receipt.server?.hasPrefix(":") == true)
            #expect(try await tool("shown").contains("Tom & Jerry"))
            let second = try await center.show(NoticeRequest(id: "one", title: "Now this", body: "instead"))
            #expect(second.receipt.handle == first.receipt.handle)
            #expect(try await center.delivered().count == 1)
            #expect(try await tool("shown").contains("Now this"))
        }
    }

    @Test("the app's icon is shown where the content has none") func appIcon() async throws {
        try await withCenter(icon: .named("mail-unread")) { center in
            _ = try await center.show(NoticeRequest(id: "plain", title: "Plain"))
            let own = NoticeContent(title: "Own", icon: .named("alarm"))
            _ = try await center.show(NoticeRequest(id: "own", content: own))
            // What dunst prints of each.
            let folder = environment["BELFRY_TEST_DESKTOP_STATE"] ?? ""
            let log = try String(contentsOfFile: "\(folder)/server.log", encoding: .utf8)
            let icons = log.matches(of: /\n\ticon: '(.*)'\n/).map { String($0.output.1) }
            #expect(icons.suffix(2) == ["mail-unread", "alarm"])
        }
    }

    @Test("a button pressed on the server comes back once", arguments: ["yes", "default"])
    func answering(_ key: String) async throws {
        try await withCenter { center in
            var content = NoticeContent(title: "Answer \(key)", body: "Please")
            content.actions = [NoticeAction("default", title: "Open"), NoticeAction("yes", title: "Yes")]
            content.desktop.expiry = .never
            let responses = await center.responses()
            try await center.add(NoticeRequest(id: "answer", content: content))
            _ = try await tool("pick", "--wait", "60", "--title", "Answer \(key)", key)
            let response = await responses.first { _ in true }
            #expect(response?.kind == (key == "default" ? .opened : .action(key)))
            await center.quiet()
            #expect(try await center.delivered().isEmpty)
        }
    }

    @Test("after a restart of the server the same request is shown anew, and the list is true")
    func restarting() async throws {
        try await withCenter { center in
            let events = await center.events()
            let first = try await center.show(NoticeRequest(id: "kept", title: "Before"))
            _ = try await tool("server-stop")
            for await case .history(let entry) in events where entry.requestID == "kept" && entry.outcome != .delivered
            {
                break
            }
            #expect(try await center.delivered().isEmpty)
            _ = try await tool("server-start")
            let second = try await center.show(NoticeRequest(id: "kept", title: "After"))
            #expect(second.receipt.server != first.receipt.server)
            #expect(try await tool("shown").contains("After"))
        }
    }

    @Test("a click on a notice that has no actions of its own is an answer") func clicking() async throws {
        try await withCenter { center in
            let responses = await center.responses()
            try await center.add(
                NoticeRequest(
                    id: "plain",
                    content: NoticeContent(title: "Click me").with { $0.desktop.expiry = .never }
                )
            )
            _ = try await tool("pick", "--wait", "60", "--title", "Click me", "default")
            #expect(await responses.first { _ in true }?.kind == .opened)
        }
    }

    @Test("dunst says whether it is paused") func doNotDisturb() async throws {
        try await withCenter { center in
            #expect(await center.doNotDisturb() == .off)
            let bus = BusConnection()
            try await bus.connect()
            for (isPaused, expected) in [(true, DeliveryCapabilities.DoNotDisturb.on), (false, .off)] {
                try await bus.call(
                    BusMethodCall(
                        to: "org.freedesktop.Notifications",
                        "/org/freedesktop/Notifications",
                        "org.freedesktop.DBus.Properties",
                        "Set",
                        [.string("org.dunstproject.cmd0"), .string("paused"), .variant(.boolean(isPaused))]
                    )
                )
                #expect(await center.doNotDisturb() == expected)
            }
            await bus.close()
        }
    }

    @Test("a bar of another run of the app takes the place of the first one's, by its tag") func stacking() async throws
    {
        try await withCenter { center in
            let events = await center.events()
            let bar = { @Sendable (progress: Double) in
                var content = NoticeContent(title: "Bar")
                content.desktop.expiry = .never
                content.progress = progress
                return NoticeRequest(id: "bar", content: content)
            }
            _ = try await center.show(bar(0.1))
            let other = NoticeCenter(app: center.app, backend: DBusBackend())
            try await other.run { other in
                _ = try await other.show(bar(0.2))
                for await case .history(let entry) in events where entry.outcome == .closed {
                    #expect(entry.requestID == "bar")
                    break
                }
                #expect(try await center.delivered().isEmpty)
                #expect(try await other.delivered().count == 1)
            }
        }
    }

    @Test("the preview names the server and what it loses, as the receipt does") func preview() async throws {
        try await withCenter { center in
            var content = NoticeContent(title: "T", body: "<a href=\"https://x.org\">x</a>")
            content.bodyFormat = .markup
            content.actions = [NoticeAction("yes", title: "Yes")]
            let preview = try await center.previewDelivery(of: content)
            #expect(preview.server.hasPrefix("dunst 1.") && preview.content.body == "x (https://x.org)")
            #expect(preview.lost.map(\.feature) == [.links, .buttons])
            #expect(try await center.show(NoticeRequest(id: "p", content: content)).receipt.lost == preview.lost)
        }
    }
}
