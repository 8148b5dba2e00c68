import Foundation
import Testing

@Suite("Code in the documentation is code that compiles")
struct QuotedCodeTests {
    static let pages = [
        "getting-started", "testing-your-app", "repeating-until-answered", "location-providers", "regions",
    ].map { QuotedCode.articles + $0 + ".md" }
    /// Pages that quote all of their code, but for so many blocks.
    private static let wholly = [
        "testing-your-app": 1, "location-providers": 0, "regions": 0,
    ]

    @Test(
        "Each block that names its file is in that file, line for line",
        arguments: try (pages + [QuotedCode.articles + "triggers-and-time-zones.md"]).flatMap(QuotedCode.all)
    )
    func isInItsFile(quote: QuotedCode) throws {
        let code = QuotedCode.unindented(quote.code)
        let file = QuotedCode.unindented(try QuotedCode.lines(of: quote.source))
        #expect(code.count > 1)
        let isThere = file.indices.contains { file[$0...].starts(with: code) }
        #expect(isThere, "\(quote.source) has changed, or the page has: copy the lines again.")
    }

    @Test("All pages quote code; those about tests and places nothing else, but for a manifest", arguments: pages)
    func quotes(page: String) throws {
        let blocks = try QuotedCode.lines(of: page).count { $0 == "```swift" }
        let quoted = try QuotedCode.all(in: page).count
        #expect(quoted >= 2)
        if let others = Self.wholly[QuotedCode.name(of: page)] { #expect(quoted == blocks - others) }
    }

    @Test("The README prints HelloNotice word for word") func readme() throws {
        let program = try QuotedCode.lines(of: "Examples/HelloNotice/main.swift").dropLast()
        let printed = try QuotedCode.lines(of: "README.md").drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
        #expect(Array(printed) == Array(program))
    }
}
