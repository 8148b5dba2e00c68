import BelfryRecorder
import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

@Suite("Texts as servers can bear them", .takesTurns)
struct TextLengthTests {
    private static let accents = "e" + String(repeating: "\u{301}", count: 60_000)

    private func prepare(
        _ capabilities: DeliveryCapabilities = .everything,
        _ change: (inout NoticeContent) -> Void
    ) -> (content: NoticeContent, lost: [DeliveryReceipt.LostFeature]) {
        var content = NoticeContent(title: "T")
        change(&content)
        let prepared = DeliveryPreparation(content, for: capabilities)
        return (prepared.content, prepared.lost)
    }

    @Test("No text has more than 8 KiB, whatever its characters are, and the receipt says what was cut") func bytes() {
        let (content, lost) = prepare {
            ($0.title, $0.subtitle, $0.body) = (Self.accents, Self.accents, Self.accents)
            $0.actions = [NoticeAction("a", title: Self.accents, kind: .reply(placeholder: Self.accents))]
            $0.thread = Self.accents
            $0.desktop.appName = Self.accents
            $0.desktop.hints = ["x-hint": .string(Self.accents)]
            $0.icon = .named(Self.accents)
        }
        #expect(content.title.utf8.count == 8_191, "a letter, and accents of two bytes each")
        #expect(content.subtitle.utf8.count + 1 + content.body.utf8.count <= 8_192)
        #expect(content.actions.allSatisfy { $0.title.utf8.count <= 8_192 })
        #expect(content.actions.first?.kind == .reply(placeholder: String(content.title)))
        #expect([content.thread, content.desktop.appName].allSatisfy { ($0?.utf8.count ?? .max) <= 8_192 })
        #expect(content.desktop.hints["x-hint"] == .string(content.title))
        #expect(content.icon == .named(content.title))
        #expect(Set(lost.map(\.feature)).isSuperset(of: [.title, .subtitle, .body, .reply, .thread, .hint, .icon]))
        #expect(lost.first?.detail == "cut to 8192 of 120001 bytes")
    }

    @Test("The cut is between characters") func characters() {
        let family = "👩‍👩‍👧‍👦"
        let (content, lost) = prepare { $0.title = String(repeating: family, count: 1_000) }
        #expect(content.title.utf8.count <= 8_192)
        #expect(content.title.count == 8_192 / family.utf8.count)
        #expect(content.title.allSatisfy { $0 == Character(family) })
        #expect(lost.map(\.feature) == [.title])
    }

    @Test("The receipt counts characters as the cut does") func countedAlike() {
        var server = DeliveryCapabilities.everything
        server.titleLimit = 4
        let (_, lost) = prepare(server) { $0.title = "e" + String(repeating: "\u{301}", count: 319) }
        #expect(lost == [DeliveryReceipt.LostFeature(.title, "cut to 4 of 10 characters")])
    }

    @Test("A text within its limit is left as it is") func short() {
        let text = String(repeating: "x", count: 8_192)
        let (content, lost) = prepare { $0.title = text }
        #expect(content.title == text && lost == [])
    }

    @Test("Where markup is escaped, what it comes to is counted", arguments: [NoticeContent.BodyFormat.plain, .markup])
    func escaped(_ format: NoticeContent.BodyFormat) {
        let (content, lost) = prepare {
            $0.subtitle = "&&"
            $0.body = String(repeating: "<a href=\"https://x.org/?a&b\"><b>&</b></a> & <", count: 2_000)
            $0.bodyFormat = format
        }
        let length = format == .markup ? content.body.utf8.count : content.body.escapedLength
        #expect(length <= 8_192 - 11 && length > 8_000)
        #expect(lost.map(\.feature) == [.body])
        guard format == .markup else { return }
        #expect(content.body.components(separatedBy: "<a ").count == content.body.components(separatedBy: "</a>").count)
    }

    @Test("A link that leaves no room for its text is left out whole") func longLink() {
        let before = String(repeating: "b ", count: 3_500)
        let (content, _) = prepare {
            $0.bodyFormat = .markup
            $0.body = before + "<a href=\"https://x.org/\(String(repeating: "x", count: 2_000))\">link</a> after"
        }
        #expect(content.body.hasPrefix(before) && !content.body.contains("<a"))
    }

    @Test(
        "Directional formatting without a counterpart in its line is removed, and told of",
        arguments: [
            ("\u{202E}gpj.exe", "gpj.exe"), ("a\u{202C}b\u{2069}", "ab"),
            ("\u{2067}שלום\u{2069} x", "\u{2067}שלום\u{2069} x"), ("\u{202A}a\u{202C}b", "\u{202A}a\u{202C}b"),
            ("\u{2066}\u{202E}a\u{2069}b", "\u{2066}\u{202E}a\u{2069}b"), ("\u{202E}a\nb\u{202C}", "a\nb"),
            ("\u{202D}\u{202E}a\u{202C}", "\u{202E}a\u{202C}"), ("x\u{200F}y", "x\u{200F}y"),
        ]
    )
    func directions(_ given: String, _ expected: String) {
        let (content, lost) = prepare {
            ($0.title, $0.body, $0.desktop.appName) = (given, given, given)
            $0.actions = [NoticeAction("a", title: given)]
        }
        #expect(content.title == expected && content.body == expected && content.desktop.appName == expected)
        #expect(content.actions.first?.title == expected)
        #expect(lost.map(\.feature) == (given == expected ? [] : [.controlCharacters]))
    }

    @Test("An override whose end is cut off is removed") func cutDirections() {
        let (content, _) = prepare {
            $0.title = "a\u{202E}" + String(repeating: "b", count: 9_000) + "\u{202C}"
        }
        #expect(content.title.hasPrefix("abb"))
    }
}
