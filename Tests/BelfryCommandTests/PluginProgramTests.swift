import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "Plug-ins are looked at in another process",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: PluginFolder.isPossible, "\(PluginFolder.reason)")
)
struct PluginProgramTests {
    private static let crashing = """
        static volatile int *nowhere;
        __attribute__((constructor)) static void crash(void) { *nowhere = 1; }
        """

    /// Its constructor prints and blocks.
    private static let blocking = """
        #include <stdio.h>
        #include <unistd.h>
        __attribute__((constructor)) static void block(void) { puts("noise"); fflush(stdout); for (;;) pause(); }
        """

    private func check(_ file: String, _ arguments: [String] = []) async throws -> BuiltProgram.Outcome {
        try await BuiltProgram.run(["plugin", "check", file] + arguments, limit: 240)
    }

    @Test("doctor names a bad file with how it ended, and goes on")
    func doctor() async throws {
        let folder = try PluginFolder()
        try folder.compile("crashing", source: Self.crashing)
        try folder.compile("good", flags: ["-DMISBEHAVING_PLUGIN_NAME=\"good\\33[2J\""])
        let whole = try folder.compile("whole")
        try Data(contentsOf: URL(filePath: whole)).prefix(2_000).write(to: URL(filePath: whole))
        var environment = BuiltProgram.environment
        environment["BELFRY_PLUGIN_PATH"] = folder.path
        let outcome = try await BuiltProgram.run(["doctor", "--json"], environment: environment)
        let lines = try outcome.lines.map { try #require(JSONLine($0)) }
        #expect(lines.contains { $0["check"] == "zone" }, "it goes on to its end")
        let found = lines.filter { $0["check"] == "plug-in" }
        try #require(found.count == 3)
        #expect(found[0]["state"] == "damaged" && found[0]["detail"]?.contains("signal 11") == true)
        #expect(found[1]["state"] == "ok" && found[1]["detail"]?.hasPrefix("good\u{FFFD}[2J; --backend") == true)
        #expect(found[2]["state"] == "damaged" && found[2]["detail"]?.contains("is cut short") == true)
    }

    @Test("doctor gives up a plug-in that blocks while it is loaded, and what it prints is no line of doctor's")
    func blocks() async throws {
        let folder = try PluginFolder()
        try folder.compile("blocking", source: Self.blocking)
        var environment = BuiltProgram.environment
        environment["BELFRY_PLUGIN_PATH"] = folder.path
        let outcome = try await BuiltProgram.run(["doctor", "--json"], environment: environment)
        let lines = try outcome.lines.map { try #require(JSONLine($0)) }
        let found = try #require(lines.first { $0["check"] == "plug-in" })
        #expect(found["state"] == "damaged" && found["detail"]?.contains("took too long") == true)
    }

    @Test("plugin check: a plug-in that keeps its contract passes; the settings reach it")
    func passes() async throws {
        let folder = try PluginFolder()
        let source = PluginFolder.root.appending(path: "Plugins/CExample")
        let parts = try FileManager.default.contentsOfDirectory(atPath: source.path).filter { $0.hasSuffix(".c") }
        let others = parts.filter { $0 != "plugin.c" }.map { source.appending(path: $0).path }
        let plugin = try String(contentsOf: source.appending(path: "plugin.c"), encoding: .utf8)
        let file = try folder.compile("json-lines", flags: ["-pthread", "-I\(source.path)"] + others, source: plugin)
        let journal = "\(folder.path)/notices.jsonl"
        let outcome = try await check(file, ["--json", "--backend-option", "file=\(journal)"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rules = try outcome.lines.map { try #require(JSONLine($0)) }
        #expect(rules.count >= 15 && rules.allSatisfy { $0["plugin"] == "json-lines" && $0["outcome"] != "failed" })
        #expect(rules.contains { $0["rule"] == "Replacing what is gone shows it anew" && $0["outcome"] == "passed" })
        #expect(try String(contentsOfFile: journal, encoding: .utf8).contains("Conformance"))
    }

    @Test("plugin check: each broken rule is named, and a crash with the rule that was checked; status 1")
    func fails() async throws {
        let folder = try PluginFolder()
        // It answers each delivery with the same handle.
        let same = try await check(folder.compile("same"))
        #expect(same.status == 1)
        #expect(same.output.contains("failed   Two deliveries have two handles"))
        #expect(same.errors.contains("The plug-in 'misbehaving' breaks"))
        let crashing = try await check(folder.compile("crashing", source: Self.crashing), ["--json"])
        #expect(crashing.status == 1)
        #expect(crashing.errors.contains("signal 11"))
        let late = try await check(folder.compile("late", flags: ["-DMISBEHAVING_PLUGIN_CRASHES"]))
        #expect(late.status == 1)
        #expect(
            late.output.contains(
                "failed   A receipt names the backend and has a handle: it ended the process by signal 6"
            )
        )
        #expect(late.output.contains("passed   It reports its capabilities"))
    }

    @Test("plugin check: no such file is said, wrong settings are wrong usage")
    func usage() async throws {
        let missing = try await check("/nonexistent/mine.so")
        #expect(missing.status == 1 && missing.errors.contains("can't be opened"))
        let wrong = try await check("/nonexistent/mine.so", ["--backend-option", "novalue"])
        #expect(wrong.status == 64 && wrong.errors.contains("KEY=VALUE"))
    }
}
