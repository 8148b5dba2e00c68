import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("The app's icon", .takesTurns)
struct AppIconTests {
    private static func shown(
        _ content: NoticeContent,
        icon: NoticeIcon? = .named("tea"),
        by capabilities: DeliveryCapabilities = .everything
    ) async throws -> NoticeContent {
        let recorder = RecorderBackend(offering: capabilities)
        let app = AppIdentity(id: "org.example.Test", icon: icon)
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(ManualTriggerClock()))
        return try await center.run { center in
            let preview = try await center.previewDelivery(of: content)
            let shown = try await center.show(NoticeRequest(id: "x", content: content))
            let delivery = try recorder.expectDelivery(of: "x")
            #expect(preview.content.icon == delivery.content.icon)
            #expect(!shown.receipt.lost.map(\.feature).contains(.icon))
            return delivery.content
        }
    }

    @Test("It is shown where the content has none") func fallback() async throws {
        #expect(try await Self.shown(NoticeContent(title: "T")).icon == .named("tea"))
        var content = NoticeContent(title: "T")
        content.icon = .named("alarm")
        #expect(try await Self.shown(content).icon == .named("alarm"))
    }

    @Test("An image that has to be the icon goes before it") func image() async throws {
        var content = NoticeContent(title: "T")
        content.image = .named("portrait")
        let both = try await Self.shown(content)
        #expect(both.icon == .named("tea") && both.image == .named("portrait"))
        let one = try await Self.shown(content, by: .everything.without(.image))
        #expect(one.icon == .named("portrait") && one.image == nil)
    }

    @Test("A name that is too long for a server is cut") func long() async throws {
        let shown = try await Self.shown(NoticeContent(title: "T"), icon: .named(String(repeating: "x", count: 10_000)))
        #expect(shown.icon == .named(String(repeating: "x", count: 8_192)))
    }

    @Test("Where no icon can be shown, or its file is gone, nothing is lost by it") func absent() async throws {
        #expect(try await Self.shown(NoticeContent(title: "T"), by: .everything.without(.icon)).icon == nil)
        #expect(try await Self.shown(NoticeContent(title: "T"), icon: .file("/nonexistent.png")).icon == nil)
    }

    @Test("An identity that was stored without one can be read") func coding() throws {
        let before = Data(#"{"id":"org.example.Test","name":"Test"}"#.utf8)
        #expect(try JSONDecoder().decode(AppIdentity.self, from: before) == AppIdentity(id: "org.example.Test"))
        let identity = AppIdentity(id: "org.example.Test", icon: .file("/usr/share/pixmaps/tea.png"))
        #expect(try JSONDecoder().decode(AppIdentity.self, from: JSONEncoder().encode(identity)) == identity)
    }
}
