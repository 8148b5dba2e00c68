import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("What would be shown, beforehand", .takesTurns)
struct PreviewTests {
    private func offering(_ features: DeliveryCapabilities.Feature..., actions: Int? = nil) -> RecorderBackend {
        RecorderBackend(
            offering: DeliveryCapabilities(server: "small 1", features: Set(features), actionLimit: actions)
        )
    }

    private func content(_ change: (inout NoticeContent) -> Void) -> NoticeContent {
        var content = NoticeContent(title: "T", body: "B")
        change(&content)
        return content
    }

    @Test("a reply field is a button, and where there are no buttons the text stays") func replies() async throws {
        let content = content { $0.actions = [NoticeAction("say", title: "Say", kind: .reply(placeholder: "?"))] }
        try await World.run(recorder: offering(.body, .actions)) { world in
            let preview = try await world.center.previewDelivery(of: content)
            #expect(preview.content.actions == [NoticeAction("say", title: "Say")])
            #expect(preview.lost.map(\.feature) == [.reply])
        }
        try await World.run(recorder: offering(.body)) { world in
            let preview = try await world.center.previewDelivery(of: content)
            #expect(preview.content.actions.isEmpty && preview.content.body == "B")
            #expect(preview.lost.map(\.feature) == [.actions])
        }
    }

    @Test("an image is the icon where there is none, and else nothing") func pictures() async throws {
        let content = content { $0.image = .named("face") }
        let pixels = NoticeImage.Pixels(width: 1, height: 1, hasAlpha: false, bytes: [1, 2, 3])
        try await World.run(recorder: offering(.body, .icon)) { world in
            let preview = try await world.center.previewDelivery(of: content)
            #expect(preview.content.icon == .named("face") && preview.content.image == nil)
            #expect(preview.lost.map(\.feature) == [.image])
            let both = try await world.center.previewDelivery(
                of: self.content { ($0.image, $0.icon) = (.named("face"), .named("own")) }
            )
            #expect(both.content.icon == .named("own"))
            let raw = try await world.center.previewDelivery(of: self.content { $0.image = .pixels(pixels) })
            #expect(raw.content.icon == nil && raw.lost.map(\.feature) == [.image])
        }
        try await World.run(recorder: offering(.body)) { world in
            let preview = try await world.center.previewDelivery(of: content)
            #expect(preview.content.icon == nil && preview.content.image == nil)
        }
    }

    @Test("the first buttons stay; the click on the notice is none of them") func buttons() async throws {
        try await World.run(recorder: offering(.body, .actions, actions: 2)) { world in
            let long = String(repeating: "x", count: 300)
            let preview = try await world.center.previewDelivery(
                of: content {
                    $0.actions = ["a", "b", "c", "default"].map { NoticeAction($0, title: $0 == "a" ? long : $0) }
                }
            )
            #expect(preview.content.actions.map(\.id) == ["a", "b", "default"])
            #expect(preview.content.actions[0].title.count == 256)
            #expect(
                preview.lost.map(\.detail) == [
                    "cut to 2 of 3 actions", "the label of 'a' is cut to 256 characters",
                ]
            )
        }
    }

    @Test("a dismissal that the server does not report is lost, whoever asks for it") func dismissal() async throws {
        var mute = DeliveryCapabilities.everything
        mute.reportsClosing = false
        try await World.run(recorder: RecorderBackend(offering: mute)) { world in
            var category = NoticeCategory("ask", actions: [])
            category.reportsDismissal = true
            try await world.center.setCategories([category])
            let asking = [content { $0.reportsDismissal = true }, content { $0.category = "ask" }, content { _ in }]
            var lost: [[DeliveryReceipt.LostFeature.Feature]] = []
            for content in asking {
                lost.append(try await world.center.previewDelivery(of: content).lost.map(\.feature))
            }
            #expect(lost == [[.dismissal], [.dismissal], []])
        }
    }

    @Test("in the request's language, with its category's actions; nothing is stored or shown") func completed()
        async throws
    {
        try await World.run { world in
            let yes = NoticeAction("yes", title: "Yes")
            try await world.center.setCategories([NoticeCategory("ask", actions: [yes])])
            var request = NoticeRequest(
                id: "r",
                content: content {
                    $0.category = "ask"
                    $0.translations = ["de": .init(title: "Titel", actions: ["yes": "Ja"])]
                }
            )
            request.languages = ["de"]
            let preview = try await world.center.previewDelivery(of: request)
            #expect(preview.content.title == "Titel" && preview.content.actions.map(\.title) == ["Ja"])
            #expect(preview.backend == "recorder" && preview.server == "recorder 1" && preview.lost.isEmpty)
            #expect(try await world.center.pending().isEmpty)
            #expect(world.recorder.deliveries.isEmpty && world.recorder.attempts.isEmpty)
        }
    }

    @Test("what can't be shown at all is an error here too; backends without more to say have defaults") func errors()
        async throws
    {
        try await World.run { world in
            let empty = await #expect(throws: NoticeError.self) {
                try await world.center.previewDelivery(of: NoticeContent(title: ""))
            }
            #expect(empty?.code == .emptyContent)
            #expect(await world.center.doNotDisturb() == .unknown)
            let badge = await #expect(throws: NoticeError.self) { try await world.center.setBadge(1) }
            #expect(badge?.code == .unsupported && badge?.message.contains("recorder") == true)
            let negative = await #expect(throws: NoticeError.self) { try await world.center.setBadge(-1) }
            #expect(negative?.code == .invalidContent)
        }
    }

    @Test("a letter with a thousand accents counts as several, and is cut within") func accents() {
        let letter = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(letter.count == 1 && letter.shownLength == 32)
        #expect(letter.cut(to: 32) == (letter, false))
        let cut = letter.cut(to: 2)
        #expect(cut.isCut && cut.text.unicodeScalars.count == 64)
        #expect("ab\(letter)".cut(to: 2) == ("ab", true))
        #expect("👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿".shownLength == 2)
        let million = "x" + String(repeating: "\u{301}", count: 1_000_000)
        var server = DeliveryCapabilities.everything
        server.titleLimit = 256
        server.bodyLimit = 10
        var content = NoticeContent(title: million, body: "<b>\(million)</b>")
        content.bodyFormat = .markup
        let prepared = DeliveryPreparation(content, for: server)
        let (result, lost) = (prepared.content, prepared.lost)
        // A letter, and accents of two bytes each: 8 KiB are the most of any text.
        #expect(result.title.utf8.count == 8_191)
        #expect(result.body.unicodeScalars.count == 10 * 32 + 7)
        #expect(lost.map(\.feature) == [.title, .body])
    }
}
