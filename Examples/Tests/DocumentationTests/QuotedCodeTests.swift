import Foundation
import Testing

@Suite("Code in the documentation is code that compiles")
struct QuotedCodeTests {
    static let pages = [
        "docs/getting-started.md", "docs/testing-your-app.md", "docs/series-and-snooze.md", "docs/location.md",
    ]

    @Test(
        "Each block that names its file is in that file, line for line",
        arguments: try (pages + ["docs/dates.md"]).flatMap(QuotedCode.all)
    )
    func isInItsFile(quote: QuotedCode) throws {
        let code = QuotedCode.unindented(quote.code)
        let file = QuotedCode.unindented(try QuotedCode.lines(of: quote.source))
        #expect(code.count > 1)
        let isThere = file.indices.contains { file[$0...].starts(with: code) }
        #expect(isThere, "\(quote.source) has changed, or the page has: copy the lines again.")
    }

    @Test("All pages quote code, the one about tests nothing else", arguments: pages) func quotes(page: String) throws {
        let blocks = try QuotedCode.lines(of: page).count { $0 == "```swift" }
        let quoted = try QuotedCode.all(in: page).count
        #expect(quoted >= 4)
        if page == "docs/testing-your-app.md" { #expect(quoted == blocks - 1, "all but the manifest") }
    }

    @Test("The README prints HelloNotice word for word") func readme() throws {
        let program = try QuotedCode.lines(of: "Examples/HelloNotice/main.swift").dropLast()
        let printed = try QuotedCode.lines(of: "README.md").drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
        #expect(Array(printed) == Array(program))
    }
}
