import BelfryTestSupport
import Foundation
import Testing

@Suite("belfry send, add, series, run and doctor, as programs without a desktop", .takesTurns)
struct CenterProgramTests {
    @Test("Without a bus, sending to the desktop fails at once and says what is missing")
    func noBus() async throws {
        let outcome = try await BuiltProgram.run(["send", "Hello", "--backend", "dbus", "--json"])
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(JSONLine(outcome.errors)?["error", "code"] == "noBus")
    }

    @Test(
        "What was typed wrong has status 64, what can't be done has 1, and nothing is shown",
        arguments: [
            (["send"], 64, "title"), (["send", "a", "b", "c"], 64, "c"), (["send", "a", "-u", "loud"], 64, "loud"),
            (["send", "a", "-r", "x"], 64, "x"), (["send", "a", "--backend", "pigeon"], 64, "pigeon"),
            (["send", "a", "--backend", "dbus"], 1, "session bus"),
            (["send", "a", "--backend", "plugin:/x.so"], 1, "plug-in"),
            (["send", "a", "--store", "/tmp/x"], 64, "--store"),
            (["send", "a", "--image", "/nowhere/a.png"], 1, "/nowhere/a.png"),
            (["send", " "], 64, "The notice has no text: "),
            (["send", ""], 64, "no text"), (["send", "a", "--progress", "2"], 64, "2"), (["add", "a"], 64, "--id"),
            (["add", "a", "--id", "x", "--in", "soon"], 64, "soon"),
            (["add", "a", "--id", "x", "--every", "5s"], 64, "60 s"),
            (["add", "a", "--id", "", "--in", "1s"], 64, "identifier"),
            (["add", "a", "--id", "x", "--match", "month=13"], 64, "13"),
            (["add", "a", "--id", "x", "--at", "2030-01-01", "--zone", "Nowhere/Else"], 64, "Nowhere/Else"),
            (["add", "a", "--id", "x", "--near", "91,0,100"], 64, "91"),
            (["add", "a", "--id", "x", "--at", "@0"], 1, "never"),
            (["series", "a", "--id", "x", "--every", "1s", "--times", "0"], 64, "count"),
            (["series", "a", "--id", "x", "--every", "500ms", "--times", "3"], 64, "spac"),
            (["series", "a", "--id", "x", "--times", "3"], 64, "every"),
        ] as [([String], Int32, String)]
    )
    func failures(arguments: [String], status: Int32, mention: String) async throws {
        let arguments = arguments.contains("--backend") ? arguments : arguments + ["--backend", "dbus"]
        let outcome = try await BuiltProgram.run(arguments + ["--json"])
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.output == "")
        let line = try #require(JSONLine(outcome.errors), "\(outcome.errors)")
        #expect(line["error", "message"]?.contains(mention) == true, "\(outcome.errors)")
    }

    @Test("An interrupted add ends with status 130, by each of the signals", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        let program = try RunningProgram([
            "add", "Tea", "--id", "tea", "--in", "1h", "--backend", "dbus", "--json",
        ])
        let added = try #require(await program.line().flatMap(JSONLine.init))
        #expect(added["id"] == "tea")
        #expect(added["next"]?.isEmpty == false)
        #expect(added.object["pending"] as? Int == 1)
        program.signal(signal)
        #expect(await program.end() == (130, ""))
    }

    @Test("A running center tells what it is and ends with status 130")
    func run() async throws {
        let program = try RunningProgram(["run", "--backend", "dbus", "--json"])
        let told = try #require(await program.line().flatMap(JSONLine.init))
        #expect(told["backend"] == "dbus")
        program.signal(SIGINT)
        #expect(await program.end() == (130, ""))
    }

    @Test("The doctor looks at everything without a bus, one line each, and says what to do")
    func doctor() async throws {
        let outcome = try await BuiltProgram.run(["doctor", "--json"])
        #expect(outcome.status == 1, "something that is needed is missing")
        #expect(JSONLine(outcome.errors)?["error", "message"]?.contains("bus, server") == true)
        let findings = try outcome.lines.map { try #require(JSONLine($0), "\($0)") }
        let states = Dictionary(uniqueKeysWithValues: findings.map { ($0["check"] ?? "", $0["state"] ?? "") })
        #expect(states["bus"] == "missing")
        #expect(states["server"] == "missing")
        #expect(states["timer"] == "ok")
        #expect(states["zone"] == "ok")
        for finding in findings where finding["state"] == "missing" {
            #expect(finding["advice"]?.isEmpty == false, "\(finding.object)")
        }
        #expect(try await BuiltProgram.run(["doctor"]).output.contains("dbus-run-session"))
    }

    @Test("Nothing is coloured where no terminal is")
    func color() async throws {
        #expect(try await !BuiltProgram.run(["doctor"]).output.contains("\u{1B}"))
    }
}
