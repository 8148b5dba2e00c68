import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("The articles that errors and the doctor name", .takesTurns)
struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("each is in the project", arguments: Article.allCases)
    func isThere(article: Article) {
        let file = Self.root.appendingPathComponent("\(Article.folder)/\(article.fileName)").path
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("an installed program names the file that was installed with it")
    func installed() throws {
        let prefix = FileManager.default.temporaryDirectory.appendingPathComponent("prefix-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: prefix) }
        let program = prefix.appendingPathComponent("bin/belfry").path
        #expect(Article.agent.path(installedWith: program) == "\(Article.folder)/agent.md")
        let file = prefix.appendingPathComponent("share/doc/belfry/agent.md")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: file)
        #expect(Article.agent.path(installedWith: program) == file.standardizedFileURL.path)
        #expect(Article.regions.path(installedWith: program) == "\(Article.folder)/regions.md")
    }

    @Test("an error names the article about it, in its object too, and not with --quiet")
    func errors() async throws {
        let arguments = ["next", "--match", "month=13"]
        let path = Article.dates.path
        #expect(try await BuiltProgram.run(arguments).errors.hasSuffix("belfry: more in \(path)\n"))
        let line = try #require(JSONLine(try await BuiltProgram.run(arguments + ["--json"]).errors))
        #expect(line["error", "article"] == path)
        let quiet = try await BuiltProgram.run(arguments + ["--quiet"])
        #expect(quiet.status == 64 && !quiet.errors.contains(path))
    }

    @Test("the doctor names one beside what is to be done, and none beside what works")
    func doctor() async throws {
        let lines = try await BuiltProgram.run(["doctor", "--json"]).lines.compactMap { JSONLine($0) }
        let bus = try #require(lines.first { $0["check"] == "bus" })
        #expect(bus["article"] == Article.desktops.path)
        let zone = try #require(lines.first { $0["check"] == "zone" })
        #expect(zone["article"] == nil)
    }
}
