import BelfryRecorder
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Texts", .takesTurns)
struct TextTests {
    private static let plain = DeliveryCapabilities.everything.without(.markup, .links)
    private static let noLinks = DeliveryCapabilities.everything.without(.links)

    private func body(_ markup: String, _ capabilities: DeliveryCapabilities = .everything) -> String {
        var content = NoticeContent(title: "T", body: markup)
        content.bodyFormat = .markup
        return DeliveryPreparation(content, for: capabilities).content.body
    }

    @Test("Markup is brought down to b, i, u, a and newlines, whatever the server is") func reduced() {
        let cases = [
            "<b>bold</b> <I>i</I> <u>u</u>": "<b>bold</b> <i>i</i> <u>u</u>",
            "<a href=\"https://x.org/?a=1&amp;b=2\">x</a>": "<a href=\"https://x.org/?a=1&amp;b=2\">x</a>",
            "<a href='x'>y</a>": "<a href=\"x\">y</a>", "<a>y</a>": "y", "<a href=x>y</a>": "y",
            "one<br>two<br/>three<p>four</p>five": "one\ntwo\nthreefour\nfive",
            "<h1>big</h1><script>alert(1)</script><img src='x'/>": "bigalert(1)",
            "a < b && c > d": "a &lt; b &amp;&amp; c &gt; d", "<3 and < b>": "&lt;3 and &lt; b&gt;",
            "<b>un<i>closed": "<b>un<i>closed</i></b>",
            "<b>crossed<i>over</b>then</i>": "<b>crossed<i>over</i></b>then",
            "</b>closed": "closed",
            "&lt;b&gt; &quot;&apos; &#228; &#xE4; &euro;": "&lt;b&gt; &quot;&apos; ä ä &amp;euro;",
            "&#0;&#27;&#xD800;&#1114112;": "&amp;#0;&amp;#27;&amp;#xD800;&amp;#1114112;", "&#10;": "\n",
            "<b class=\"x\">y</b>": "<b>y</b>", "<bold>y</bold>": "y", "<": "&lt;", "<b": "&lt;b", "&": "&amp;",
            "<b/>x": "x", "": "", "<b></b><i> </i>": "<i> </i>", "<b><i>x</i></b>": "<b><i>x</i></b>",
        ]
        for (markup, expected) in cases { #expect(body(markup) == expected, "\(markup)") }
    }

    @Test("An attribute has its whole name, and is not part of another one's name or value") func attributes() throws {
        let link = "<a href=\"https://y.org\">z</a>"
        for attributes in [
            "data-href=\"x\" href=\"https://y.org\"", "title=\"href='x'\" href=\"https://y.org\"",
            "href=\"https://y.org\" href=\"x\"", "title = 'a' download\n\thref = 'https://y.org' rel=nofollow",
            "rel=href='x' href='https://y.org'", "=\"x\" ' href=\"https://y.org\"",
        ] { #expect(body("<a \(attributes)>z</a>") == link, "\(attributes)") }
        for attributes in ["data-href=\"x\"", "title=\"href='x'\"", "title=\"href=", "href", "href=", "href=\"\""] {
            #expect(body("<a \(attributes)>z</a>") == "z", "\(attributes)")
        }
        let folder = try TemporaryFolder()
        let (first, second) = (try folder.write("a.png", ""), try folder.write("b.png", ""))
        let picture = "<img data-src=\"\(first)\" src=\"\(second)\" data-alt=\"x\"/>"
        #expect(body(picture) == "<img src=\"file://\(second)\" alt=\"\"/>")
    }

    @Test("A tag of any length is no text: one with attributes that are too long has none") func longTags() {
        let long = String(repeating: "p", count: 2_100)
        #expect(body("<a href=\"http://x/\(long)\">k</a> tail") == "k tail")
        #expect(body("<a href=\"http://x/\(long)\">k</a> tail", Self.plain) == "k tail")
        #expect(body("<b class='\(long)'>k</b> <img src='/\(long)'/><\(long)>tail") == "<b>k</b> tail")
        #expect(body("<a \(long) <b>k</b>") == "&lt;a \(long) <b>k</b>")
        let link = "<a href=\"http://x/\(long.prefix(2_000))\">k</a>"
        #expect(body(link) == link)
        // Without an end each is text, found by reading up to the next one.
        #expect(body(String(repeating: "<a ", count: 100_000)).hasPrefix("&lt;a &lt;a "))
    }

    @Test("A combining accent after < & or \" does not smuggle them through") func combining() {
        let accent = "\u{301}"
        #expect(body("<\(accent)b>") == "&lt;\(accent)b&gt;")
        #expect(body("&\(accent)amp;") == "&amp;\(accent)amp;")
        #expect(
            MarkupReduction.escape("<\(accent)\"\(accent)&\(accent)") == "&lt;\(accent)&quot;\(accent)&amp;\(accent)"
        )
        #expect(body("<a href=\"x\"\(accent)>y</a>").contains("<\(accent)") == false)
    }

    @Test("Where the server has no markup the tags are stripped, a link keeps its address, nothing is escaped")
    func stripped() {
        #expect(body("<b>a</b> &lt; <a href=\"https://x.org\">site</a>!", Self.plain) == "a < site (https://x.org)!")
        #expect(body("<a href=\"https://x.org\">site</a>", Self.noLinks) == "site (https://x.org)")
        #expect(body("<a href=\"x&lt;y\">s</a> <b>b</b>", Self.noLinks) == "s (x&lt;y) <b>b</b>")
        var content = NoticeContent(title: "T", body: "<b>a</b>")
        content.bodyFormat = .markup
        let prepared = DeliveryPreparation(content, for: Self.plain)
        #expect(prepared.content.bodyFormat == .plain)
        #expect(prepared.lost.map(\.feature) == [.markup])
    }

    @Test("Plain text is left as it is: escaping is the backend's, which knows its server") func plainText() {
        let content = NoticeContent(title: "a < b & c", body: "<b>not bold</b> &amp;")
        let prepared = DeliveryPreparation(content, for: .everything)
        #expect(prepared.content == content)
        #expect(prepared.lost == [])
    }

    @Test("Control characters but newline and tab are removed from every text, and the receipt says how many")
    func controls() {
        let dirty = "a\u{0}b\u{1B}[31mc\u{7F}d\u{85}\te\r\nf\rg\u{FFFE}"
        var content = NoticeContent(title: dirty, subtitle: dirty, body: dirty)
        content.actions = [
            NoticeAction("x", title: dirty, kind: .reply(placeholder: dirty), icon: dirty)
        ]
        content.thread = dirty
        content.desktop.category = dirty
        content.desktop.appName = dirty
        content.desktop.hints = ["x-hint": .string(dirty)]
        (content.icon, content.image, content.sound) = (.named(dirty), .named(dirty), .named(dirty))
        let prepared = DeliveryPreparation(content, for: .everything)
        let (result, lost) = (prepared.content, prepared.lost)
        let clean = "ab[31mcd\te\nf\ng"
        #expect(result.title == clean && result.subtitle == clean && result.body == clean)
        #expect(result.actions == [NoticeAction("x", title: clean, kind: .reply(placeholder: clean), icon: clean)])
        #expect(result.thread == clean && result.desktop.category == clean && result.desktop.appName == clean)
        #expect(result.desktop.hints == ["x-hint": .string(clean)])
        #expect(result.icon == .named(clean) && result.image == .named(clean) && result.sound == .named(clean))
        #expect(lost.map(\.feature) == [.controlCharacters])
        #expect(lost[0].detail.hasPrefix("65 "))
    }

    @Test("Texts are cut at a character boundary, and the receipt names what was cut to what") func cut() {
        var server = DeliveryCapabilities.everything
        (server.titleLimit, server.bodyLimit) = (3, 5)
        let content = NoticeContent(title: "👨‍👩‍👧‍👦🇩🇪é!", body: "12345")
        let prepared = DeliveryPreparation(content, for: server)
        let (result, lost) = (prepared.content, prepared.lost)
        #expect(result.title == "👨‍👩‍👧‍👦🇩🇪é")
        #expect(result.body == "12345")
        #expect(lost == [DeliveryReceipt.LostFeature(.title, "cut to 3 of 4 characters")])
        // A plug-in may say what it likes.
        (server.titleLimit, server.bodyLimit, server.actionLimit) = (-1, .min, -5)
        let nothing = DeliveryPreparation(content, for: server).content
        #expect(nothing.title == "" && nothing.body == "")
    }

    @Test("A picture in the text is a file of this machine, for servers that show it; else its alt stands for it")
    func pictures() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a & b.png", "")
        let address = "file://\(folder.path)/a%20&amp;%20b.png"
        let shown = "<img src=\"\(address)\" alt=\"Map &lt;1&gt;\"/>"
        for source in [file, "file://\(folder.path)/a%20&amp;%20b.png"] {
            #expect(body("<b>x</b><IMG alt='Map &lt;1&gt;' src='\(source)'>y") == "<b>x</b>\(shown)y")
        }
        #expect(body("<b><img src=\"\(file)\"/></b>") == "<b><img src=\"\(address)\" alt=\"\"/></b>")
        for source in [
            "https://x.org/a.png", "a.png", "file://host/a.png", "/dev/zero", folder.path, "\(file).gone", "",
            "data:image/png;base64,AAAA", "file:///\n", "file:///%zz",
        ] {
            #expect(body("<img src=\"\(source)\" alt=\"Map &lt;1&gt;\"/>!") == "Map &lt;1&gt;!", "\(source)")
        }
        #expect(body("<img src=\"https://x.org/a.png\"/>!") == "!")
        let without = DeliveryCapabilities.everything.without(.bodyImages)
        var content = NoticeContent(title: "T", body: "See <img src=\"\(file)\" alt=\"the map\"/>.")
        content.bodyFormat = .markup
        let prepared = DeliveryPreparation(content, for: without)
        #expect(prepared.content.body == "See the map.")
        #expect(prepared.lost.map(\.feature) == [.image])
        #expect(DeliveryPreparation(content, for: .everything).lost.isEmpty)
        #expect(DeliveryPreparation(content, for: Self.plain).content.body == "See the map.")
    }

    @Test("Pictures count: as a character each, and by their bytes") func manyPictures() throws {
        let folder = try TemporaryFolder()
        let picture = "<img src=\"\(try folder.write("a.png", ""))\" alt=\"\"/>"
        var server = DeliveryCapabilities.everything
        server.bodyLimit = 3
        #expect(body(String(repeating: picture, count: 9), server).components(separatedBy: "<img").count == 4)
        let all = body(String(repeating: picture, count: 10_000))
        #expect(all.utf8.count <= String.mostBytesShown && all.hasSuffix("/>"))
    }

    @Test("Marked up text is cut by its text, its tags stay whole, addresses count as text") func cutMarkup() {
        var server = DeliveryCapabilities.everything
        server.bodyLimit = 4
        #expect(body("<b>12</b><i>345</i>", server) == "<b>12</b><i>34</i>")
        #expect(body("<b>1234</b>", server) == "<b>1234</b>")
        #expect(body("&lt;&gt;&amp;&quot;&apos;", server) == "&lt;&gt;&amp;&quot;")
        server.features.remove(.links)
        server.features.remove(.markup)
        #expect(body("<a href=\"https://x.org\">12</a>3", server) == "12 (")
    }

    @Test("Texts of any length are cut to what the server bears")
    func longTexts() {
        var server = DeliveryCapabilities.everything
        server.bodyLimit = 2_000
        for (size, server) in [(1 << 16, server), (1 << 14, .everything)] {
            let bodies = [
                "x", "<a", "<b>", "&", "<a href='", "e\u{301}", "</b>", "<a href=\"x\">", "<b></b>", "\u{0}", "&amp;",
            ].map { String(repeating: $0, count: size / $0.utf8.count) }
            for text in bodies + ["<" + String(repeating: "a", count: size)] {
                // Every character may need six to be escaped.
                #expect(
                    body(text, server).count <= min(6 * text.count, server.bodyLimit.map { $0 * 6 + 200 } ?? .max)
                )
            }
        }
    }

    @Test("Whatever comes in, what goes out is well-formed") func fuzz() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "<", ">", "&", ";", "\"", "'", "/", "b", "i", "u", "a", "br", "p", " ", "\n", "=", "href=", "<b>", "</b>",
            "<i>", "</i>", "<a href=\"x\">", "</a>", "<img src=\"/etc/passwd\" alt=\"",
            "<img src='/etc/passwd' alt='x'/>", "&amp;", "&lt;", "&#60;", "&#x3C;", "&#1;", "\u{301}", "\u{0}",
            "\u{200D}", "👍", "]]>", "<!--", "-->", "<![CDATA[", "<?x?>", "é", "\u{FFFF}", "<b/>", "<div>", "</div>",
        ]
        for round in 0..<3_000 {
            let text = (0..<random.number(0...30)).map { _ in random.pick(pieces) }.joined()
            let limit: Int? = random.chance(30) ? random.number(0...10) : nil
            for features in [DeliveryCapabilities.everything, Self.noLinks, Self.plain] {
                var server = features
                server.bodyLimit = limit
                let result = body(text, server)
                if server.features.contains(.markup) {
                    if let fault = MarkupCheck.fault(of: result) {
                        Issue.record(
                            "seed \(seed), round \(round): \(fault) in \(result.debugDescription) of \(text.debugDescription)"
                        )
                        return
                    }
                } else if let limit {
                    #expect(result.count <= limit, "seed \(seed), round \(round)")
                }
                let isClean = result.unicodeScalars.allSatisfy { !$0.isControl || $0 == "\n" || $0 == "\t" }
                #expect(isClean, "seed \(seed), round \(round)")
            }
        }
    }
}

/// Reads markup as strictly as the strictest server: five entities, five tags, nested properly.
private enum MarkupCheck {
    static func fault(of text: String) -> String? {
        var rest = text.unicodeScalars[...]
        var open: [String] = []
        while let scalar = rest.first {
            switch scalar {
            case ">", "\"", "'": return "a bare \(scalar)"
            case "&":
                guard
                    let name = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].first(where: {
                        rest.starts(with: $0.unicodeScalars)
                    })
                else { return "a bare &" }
                rest = rest.dropFirst(name.unicodeScalars.count)
            case "<":
                guard let end = rest.firstIndex(of: ">") else { return "an open tag" }
                let tag = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
                if tag.hasPrefix("</") {
                    guard let last = open.popLast(), tag == "</\(last)" else { return "\(tag)> closes \(open)" }
                } else if ["<b", "<i", "<u"].contains(tag) {
                    open.append(String(tag.dropFirst()))
                } else if tag.hasPrefix("<a href=\""), tag.hasSuffix("\""),
                    tag.dropFirst(9).dropLast().allSatisfy({ $0 != "\"" && $0 != "<" })
                {
                    open.append("a")
                } else if tag.hasPrefix("<img src=\"file:///"), tag.hasSuffix("\"/"),
                    tag.unicodeScalars.count(where: { $0 == "\"" }) == 4,
                    !tag.unicodeScalars.dropFirst().contains("<")
                {
                    continue
                } else {
                    return "the tag \(tag)>"
                }
            default: rest = rest.dropFirst()
            }
        }
        return open.isEmpty ? nil : "\(open) are never closed"
    }
}
