import Foundation
import Testing

@Suite("Code in the documentation is code that compiles")
struct QuotedCodeTests {
    static let pages = (try? QuotedCode.pages()) ?? []
    /// The first lines of blocks that no package of ours contains: manifests of the reader's own.
    private static let manifests = [
        "// swift-tools-version: 6.2", ".testTarget(",
        #"dependencies: [.package(name: "Belfry", path: "../belfry")],"#,
        #"dependencies: [.package(name: "Belfry", path: "../belfry", traits: ["ServiceLifecycle"])],"#,
    ]

    @Test("Each block that names its file is in that file, line for line", arguments: try pages.flatMap(QuotedCode.all))
    func isInItsFile(quote: QuotedCode) throws {
        let code = QuotedCode.unindented(quote.code)
        let file = QuotedCode.unindented(try QuotedCode.lines(of: quote.source))
        #expect(code.count > 0)
        let isThere = file.indices.contains { file[$0...].starts(with: code) }
        #expect(isThere, "\(quote.source) has changed, or the page has: copy the lines again.")
    }

    @Test("Every block of Swift names its file, but for manifests and Apple's code", arguments: pages)
    func quotes(page: String) throws {
        let lines = try QuotedCode.lines(of: page)
        for (number, line) in lines.enumerated() where line == "```swift" {
            let comment = lines[number - 1]
            let isExempt = comment == "<!-- not ours -->" || Self.manifests.contains(lines[number + 1])
            let isQuote = isExempt || comment.hasPrefix("<!-- from ")
            #expect(isQuote, "\(page):\(number + 1): add <!-- from PATH --> above the block")
        }
    }

    @Test("The articles are found") func found() {
        #expect(Self.pages.count > 15)
    }

    @Test(
        "The tutorial's steps have lines of the example, in order, and the last step has all of them",
        arguments: [
            ("Reminders", 3, "Reminders/Kit/Reminders.swift"), ("main", 2, "Reminders/Command/main.swift"),
            ("RemindersTests", 3, "Tests/RemindersTests/RemindersTests.swift"),
        ]
    )
    func tutorial(name: String, stepCount: Int, example: String) throws {
        let program = try QuotedCode.lines(of: "Examples/\(example)")
        for step in 1...stepCount {
            let lines = try QuotedCode.lines(of: "Sources/Belfry/Belfry.docc/Tutorials/Code/\(name)-\(step).swift")
            var rest = program[...]
            for line in lines {
                rest = rest.drop { $0 != line }
                try #require(!rest.isEmpty, "step \(step) of \(name) has a line that \(example) doesn't: \(line)")
                rest = rest.dropFirst()
            }
            if step == stepCount { #expect(lines == program) }
        }
    }
}
