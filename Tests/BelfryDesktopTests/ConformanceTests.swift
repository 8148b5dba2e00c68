import BelfryTestSupport
import ConformanceStage
import Foundation
import Testing

/// Each backend in a process of its own. A rule that is broken ends the program with 1, and its report is the failure's
/// text.
@Suite("Every backend obeys the rules, each in a process of its own", .takesTurns)
struct ConformanceTests {
    @Test(
        "D-Bus and libnotify against the scripted server",
        arguments: ["dbus", "libnotify"],
        ["gnome", "kde", "minimal", "hostile"]
    )
    func scripted(_ backend: String, _ profile: String) async throws {
        let report = try await BackendProgram(program: "ConformanceRunner").run(
            backend,
            "conform",
            "--scripted",
            profile
        )
        #expect(report.contains("passed   Titles are shown as written, in the order of delivery"))
        // Nothing that the suite could do was left out, but what the server can't.
        let skipped = report.split(separator: "\n").filter { $0.contains("skipped  ") }
        #expect(skipped.count == (profile == "minimal" ? 1 : 0), "\(skipped)")
    }

    @Test("The console and the recorder", arguments: ["console", "recorder"])
    func alone(_ backend: String) async throws {
        let report = try await BackendProgram(program: "ConformanceRunner").run(backend, "conform")
        #expect(report.contains("passed   Odd content"))
    }

    @Test("libnotify, loaded from its file by a program that isn't linked with it")
    func loaded() async throws {
        let file = try await BuiltPlugin.make("libbelfry-libnotify", in: BuiltPlugin.folder())
        let linked = try await Desktop.run("/bin/sh", ["-c", "ldd '\(BackendProgram(program: "PluginRunner").path)'"])
        #expect(!linked.contains("libnotify"), "The program has libnotify before it loads the plug-in")
        for profile in ["gnome", "hostile"] {
            try await BackendProgram(program: "PluginRunner").run(file, "conform", "--scripted", profile)
        }
    }

    @Test("The C example, answered through its pipe")
    func example() async throws {
        let folder = try BuiltPlugin.folder()
        let file = try await BuiltPlugin.make("json-lines", in: folder)
        let lines = "\(folder)/notices.jsonl"
        try? FileManager.default.removeItem(atPath: lines)
        let program = BackendProgram(program: "PluginRunner", environment: ["BELFRY_JSON_LINES_FILE": lines])
        let report = try await program.run(file, "conform")
        #expect(report.contains("passed   A response names the delivery and the action, once"))
        #expect(report.contains("passed   A closing by hand names the delivery"))
        // Whatever was shown, however odd, each line is one object.
        let text = try String(contentsOfFile: lines, encoding: .utf8)
        let objects = try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.count > 100)
        #expect(objects.allSatisfy { $0["notice"] is Int && $0["event"] is String && $0["run"] is String })
    }
}
