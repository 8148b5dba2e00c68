import Foundation
import Testing

/// A block of code in a page, below a line that says from where: `<!-- from PATH -->`, PATH as seen from the project's
/// root.
struct QuotedCode: CustomTestStringConvertible, Sendable {
    let page: String
    /// The line of the page, counted from 1.
    let line: Int
    let source: String
    let code: [String]

    var testDescription: String { "\(page):\(line) from \(source)" }

    /// The project's root: the folder above `Examples`.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    /// The folder of the articles, as seen from the root.
    static let articles = "Sources/Belfry/Belfry.docc/Articles/"

    private static let landingPage = "Sources/Belfry/Belfry.docc/Belfry.md"

    /// The module's page that has code too.
    private static let portingPage = "Sources/UserNotifications/UserNotifications.docc/UserNotifications.md"

    /// The README, the articles, the landing page and the page for ported code, as paths seen from the root.
    static func pages() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: articles).path)
        return names.filter { $0.hasSuffix(".md") }.sorted().map { articles + $0 } + [
            landingPage, portingPage, "README.md",
        ]
    }

    static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
    }

    static func all(in page: String) throws -> [QuotedCode] {
        var found: [QuotedCode] = []
        let lines = try lines(of: page)
        for (number, line) in lines.enumerated() where line.hasPrefix("<!-- from ") && line.hasSuffix(" -->") {
            let source = String(line.dropFirst("<!-- from ".count).dropLast(" -->".count))
            let code = lines.dropFirst(number + 2).prefix { $0 != "```" }
            found.append(QuotedCode(page: page, line: number + 1, source: source, code: Array(code)))
        }
        return found
    }

    /// A page may indent less than the file it quotes.
    static func unindented(_ lines: some Sequence<String>) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
