import BelfryTestSupport
import Foundation
import Testing

@Suite("The streams of a command, as a program", .takesTurns, .timeLimit(.minutes(5)))
struct StreamTests {
    /// Runs a shell with `$belfry`.
    private func shell(_ script: String) async throws -> BuiltProgram.Outcome {
        var environment = BuiltProgram.environment
        environment["belfry"] = BuiltProgram.path
        return try await BuiltProgram.run("/bin/sh", ["-c", script], [], environment, 120)
    }

    @Test("A closed standard input is an empty one") func closedInput() async throws {
        let outcome = try await shell(#""$belfry" next --batch <&-"#)
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome.errors)")
    }

    @Test("A closed standard output takes everything", arguments: ["next --cron '0 9 * * *'", "--help"])
    func closedOutput(arguments: String) async throws {
        let outcome = try await shell("\"$belfry\" \(arguments) --quiet >&-")
        #expect(outcome.status == 0 && outcome.errors == "")
    }

    @Test("A full disk is an error, also for the help") func fullDisk() async throws {
        let outcome = try await shell(#""$belfry" --help >/dev/full"#)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
    }

    @Test("What was typed is printed without what a terminal obeys") func control() async throws {
        let outcome = try await BuiltProgram.run(["send", "A", "--\u{1B}[31mx"])
        #expect(outcome.status == 64)
        #expect(!outcome.errors.contains("\u{1B}") && outcome.errors.contains("[31mx"), "\(outcome.errors)")
    }

    @Test("A descriptor that is not open is named before anything is shown", arguments: [3, 7, 77])
    func unopened(number: Int) async throws {
        let outcome = try await BuiltProgram.run(["send", "A", "--backend", "console", "--id-fd", "\(number)"])
        #expect(outcome.status == 64)
        #expect(outcome.output == "" && outcome.errors.contains("--id-fd \(number) is not open"), "\(outcome.errors)")
    }

    @Test("A descriptor that can't be written is named before anything is shown") func readOnly() async throws {
        let outcome = try await shell(#""$belfry" send A --backend console --id-fd 3 3</dev/null"#)
        #expect(outcome.status == 64)
        #expect(outcome.output == "" && outcome.errors.contains("--id-fd 3 is open for reading alone: redirect it"))
    }

    @Test("An input that can't be read is an error that says where to look") func directory() async throws {
        let outcome = try await shell(#""$belfry" next --batch </"#)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Is a directory. Check where the input comes from."), "\(outcome.errors)")
    }

    @Test("Dates of a trigger are for other programs, too") func triggerDates() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["--at", "2100-01-01", "--store", folder.path("store"), "--no-wait", "--json"]
        let added = try await BuiltProgram.run(["add", "A", "--id", "a"] + arguments)
        #expect(added.output.contains(#""trigger":{"kind":"date","value":{"date":"2100-01-01T00:00:00Z"}}"#))
        let warned = try await BuiltProgram.run(
            ["add", "B", "--id", "b", "--every", "1d", "--store", folder.path("store"), "--no-wait", "--json"]
        )
        #expect(JSONLine(warned.errors)?["warning"]?.contains("whole days") == true, "\(warned.errors)")
        let cut = try await BuiltProgram.run([
            "preview", "--store", folder.path("store"), "--json", "--limit", "1", "--from", "2026-01-01", "--until",
            "2100-02-01",
        ])
        #expect(cut.errors.contains("there is more"), "\(cut.errors)")
    }
}
