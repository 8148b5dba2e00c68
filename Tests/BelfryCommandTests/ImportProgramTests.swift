import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Schedule files imported by the program", .takesTurns)
struct ImportProgramTests {
    private static func notice(_ id: String, _ rest: String = #""in":"2h""#) -> String {
        #"{"id":"\#(id)","title":{"en":"T","de":"Te"},"trigger":{\#(rest)}}"#
    }

    private static func write(_ notices: String..., to path: String) throws {
        let text = #"{"version":1,"notices":[\#(notices.joined(separator: ","))]}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> BuiltProgram.Outcome {
        try await BuiltProgram.run(["import"] + arguments + ["--store", folder.path + "/store"])
    }

    @Test("What a file says is added; read again, what has changed is changed")
    func imports() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/schedule.json"
        try Self.write(Self.notice("a"), Self.notice("b"), Self.notice("old", #""at":"2001-01-01""#), to: file)
        let trial = try await run([file, "--dry-run"], in: folder)
        #expect(trial.status == 0)
        #expect(trial.output == "would add     a\nwould add     b\n")
        #expect(trial.errors.contains("a trial: 2 added"))
        #expect(try folder.names() == ["schedule.json"], "a trial creates no store")
        let first = try await run([file, "--no-wait", "--json"], in: folder)
        #expect(first.lines.compactMap { JSONLine($0)?["change"] } == ["added", "added", "reported"])
        #expect(JSONLine(first.lines[0])?["id"] == "a" && JSONLine(first.lines[0])?["next"] != nil)
        try Self.write(Self.notice("a"), Self.notice("b", #""in":"3h""#), Self.notice("c"), to: file)
        let second = try await run([file, "--no-wait"], in: folder)
        #expect(second.lines.map { $0.prefix(11) } == ["added     c", "updated   b"])
        #expect(second.errors.contains("1 added, 1 updated, 1 unchanged"))
        try Self.write(Self.notice("a"), to: file)
        #expect(try await run([file, "--no-wait"], in: folder).output == "removed   b\nremoved   c\n")
        // Another name is another owner, whose identifiers are its own.
        let other = try await run([file, "--no-wait", "--owner", "somebody"], in: folder)
        #expect(other.status == 1)
        #expect(other.errors.contains("The identifier 'a' belongs to '\(file)'"))
    }

    @Test("What is left out is told, also to programs")
    func warnings() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("choir.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
        let outcome = try await run([file, "--dry-run", "--json"], in: folder)
        #expect(JSONLine(outcome.errors)?["warning"] == "The calendar has no alarm.", "\(outcome.errors)")
    }

    @Test("Every error is a line of its own, with the file, the path and the place")
    func errors() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/schedule.json"
        try Self.write(Self.notice("a", #""every":5"#), Self.notice("b", #""at":"soon""#), to: file)
        let outcome = try await run([file], in: folder)
        #expect(outcome.status == 1 && outcome.output == "")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last == "belfry: more in \(Article.scheduleFiles.path)")
        #expect(
            lines.first?.contains("\(file): notices[0].trigger.every: must be at least 60 s, found 5 (line 1, ") == true
        )
        let json = try await run([file, "--json"], in: folder)
        let objects = json.errors.split(separator: "\n").map { JSONLine(String($0)) }
        #expect(objects.map { $0?["error", "code"] } == ["invalidSchedule", "invalidNotation"])
        #expect(try await run([folder.path + "/none.json"], in: folder).status == 1)
        #expect(try await run([file, "--watch", "--dry-run"], in: folder).status == 64)
    }

    @Test("An error in the syntax shows its line with a caret below the column")
    func excerpt() async throws {
        let folder = try TemporaryFolder()
        let line = "  { title: 'Tea', time: '19:30' day: 'Tuesday' }"
        let file = try folder.write("schedule.json", "[\n\(line)\n]\n")
        let expected = """
            belfry: \(file): line 2, column 32: a comma is missing here
                \(line)
                \(String(repeating: " ", count: 31))^

            """
        let imported = try await run([file, "--quiet"], in: folder)
        #expect(imported.errors == expected)
        let previewed = try await BuiltProgram.run(["preview", file, "--quiet"])
        #expect(previewed.errors == expected)
    }

    @Test("Without an agent it waits, and shows the notices in the language that was asked for")
    func waits() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/schedule.json"
        try Self.write(Self.notice("a", #""in":"50ms""#), to: file)
        let arguments = ["import", file, "--language", "de", "--backend", "console", "--json"]
        let outcome = try await BuiltProgram.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.contains { JSONLine($0)?["title"] == "Te" }, "\(outcome.output)")
    }

    @Test("With --watch it follows the file until it is interrupted")
    func watches() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/schedule.json"
        try Self.write(Self.notice("a"), to: file)
        let program = try RunningProgram([
            "import", file, "--watch", "--quiet", "--backend", "console", "--store", folder.path + "/store",
        ])
        #expect(await program.line()?.hasPrefix("added     a: ") == true)
        try Self.write(Self.notice("a"), Self.notice("b"), to: file)
        #expect(await program.line()?.hasPrefix("added     b: ") == true)
        try Self.write(Self.notice("b"), to: file)
        #expect(await program.line() == "removed   a")
        program.signal(SIGINT)
        let end = await program.end()
        #expect(end.status == 130 && end.errors == "", "\(end)")
    }
}
