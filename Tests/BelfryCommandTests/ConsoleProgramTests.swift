import BelfryTestSupport
import Foundation
import Testing

@Suite("belfry on the console, as a program", .takesTurns)
struct ConsoleProgramTests {
    @Test("send --json writes one object, and nothing else")
    func send() async throws {
        let outcome = try await BuiltProgram.run([
            "send", "Tea", #"is\nready"#, "-A", "yes=Yes", "--json", "--backend", "console",
        ])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let line = try #require(JSONLine(outcome.output), "\(outcome.output)")
        #expect(line["title"] == "Tea")
        #expect(line["body"] == "is\nready")
    }

    @Test("Without a bus, auto writes to the console and says so, unless it is to be quiet")
    func auto() async throws {
        let outcome = try await BuiltProgram.run(["send", "Tea"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "", "a script reads that")
        #expect(outcome.errors.contains("Tea") && outcome.errors.contains("no session bus"))
        let quiet = try await BuiltProgram.run(["send", "Tea", "--quiet"])
        #expect(quiet.errors.contains("Tea") && !quiet.errors.contains("no session bus"))
        #expect(try await BuiltProgram.run(["send", "Tea", "--backend", "console"]).output.contains("Tea"))
    }

    @Test(
        "Without a bus, send fails where a script waits for what only a desktop can give",
        arguments: [["-p"], ["-w"], ["-A", "yes=Yes"], ["--id-fd", "1"], ["--json"], ["-p", "-r", "7"]]
    )
    func needsDesktop(flags: [String]) async throws {
        let outcome = try await BuiltProgram.run(["send", "Copying"] + flags)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("--backend console"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Copying"), "nothing was shown")
    }

    @Test("On the console by request, the number stands alone on standard output")
    func number() async throws {
        let outcome = try await BuiltProgram.run(["send", "-p", "Copying", "--backend", "console"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "1\n")
        #expect(outcome.errors.contains("Copying"))
    }

    @Test("add waits, shows, and ends where nobody can answer")
    func add() async throws {
        let outcome = try await BuiltProgram.run([
            "add", "Tea", "--id", "tea", "--in", "200ms", "--json", "--backend", "console",
        ])
        #expect(outcome.status == 0)
        let lines = outcome.lines.compactMap(JSONLine.init)
        #expect(lines.map { $0["id"] } == ["tea", "tea"])
        #expect(lines.first?["next"]?.isEmpty == false)
        #expect(lines.last?["title"] == "Tea")
    }

    @Test("What was added is printed before it is shown")
    func order() async throws {
        // The order was a matter of luck.
        for _ in 0..<10 {
            let program = try RunningProgram(["add", "Tea", "--id", "tea", "--json", "--backend", "console"])
            let lines = [await program.line(), await program.line()].compactMap { $0.flatMap(JSONLine.init) }
            #expect(lines.map { $0["delivery"] != nil } == [false, true])
            #expect(lines.first?["next"] == nil, "it is shown now")
            program.signal(SIGTERM)
            _ = await program.end()
        }
    }

    @Test("A series shows all its elements")
    func series() async throws {
        let outcome = try await BuiltProgram.run(
            ["series", "Mail", "--id", "mail", "--every", "1s", "--times", "2", "--json", "--backend", "console"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.compactMap(JSONLine.init).filter { $0["id"]?.hasPrefix("mail@") == true }.count == 2)
    }

    @Test("A demo that nobody can answer fails, and says why")
    func demo() async throws {
        let outcome = try await BuiltProgram.run(["demo", "--unattended", "--backend", "console", "--quiet"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("terminal"))
    }
}
