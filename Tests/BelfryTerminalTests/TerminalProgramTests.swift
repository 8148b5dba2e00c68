import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryTerminal

@Suite("belfry in a terminal without a bus, as over SSH", .takesTurns, .timeLimit(.minutes(5)))
struct TerminalProgramTests {
    private static let belfry = "'\(TerminalProgram.belfry)'"

    @Test("'belfry done' shows its notice through the terminal, and ends with the command's status")
    func done() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let status = try await TerminalProgram.run("\(Self.belfry) done --title Tests -- sh -c 'exit 3'", on: terminal)
        #expect(status == 3)
        await terminal.wait { !$0.open.isEmpty }
        let notice = try #require(terminal.open.first)
        #expect(notice.title == "Tests" && notice.body.hasPrefix("Failed with status 3 after "))
        // It outlives the program, so that nobody would read what becomes of it.
        #expect(!notice.reports && !notice.reportsClosing)
        #expect(terminal.unread == 0)
    }

    @Test("A terminal that only says its name is told in its own way; one that shows none gets lines")
    func others() async throws {
        let ghostty = try ScriptedTerminal(.init(name: "ghostty 1.2.0"))
        #expect(try await TerminalProgram.run("\(Self.belfry) done --title 'a;b' -- true", on: ghostty) == 0)
        await ghostty.wait { $0.commands.contains { $0.hasPrefix("777;notify;a,b;Done after ") } }
        #expect(ghostty.commands.count == 2)
        let xterm = try ScriptedTerminal(.init(name: "XTerm(379)"))
        #expect(try await TerminalProgram.run("\(Self.belfry) done --title Tests -- true", on: xterm) == 0)
        await xterm.wait { String(decoding: $0.bytes, as: UTF8.self).contains("Done after ") }
        #expect(xterm.commands.allSatisfy { $0.contains("p=?") })
        let refused = "\(Self.belfry) send Tea --backend terminal"
        #expect(try await TerminalProgram.run(refused, on: xterm) == 1)
        #expect(try await TerminalProgram.run(refused + ":osc9", on: xterm) == 0)
        await xterm.wait { $0.commands.contains("9;Tea") }
    }

    @Test("From the background nothing is asked, and 'stty tostop' stops nobody")
    func background() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let line = "stty tostop; set -m; \(Self.belfry) done --title Back -- true & wait"
        _ = try await TerminalProgram.run(line, on: terminal, adding: ["TERM": "xterm-kitty"])
        await terminal.wait { !$0.open.isEmpty }
        #expect(terminal.titles == ["Back"])
        #expect(!terminal.commands.contains { $0.contains("p=?") })
    }

    @Test("'belfry send -A' prints the button that was pressed at the terminal's desktop")
    func buttons() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let folder = try TemporaryFolder()
        let file = folder.path + "/chosen"
        async let status = TerminalProgram.run(
            "\(Self.belfry) send Tea? -A yes=Yes -A no=No > '\(file)'",
            on: terminal
        )
        await terminal.wait { !$0.open.isEmpty }
        terminal.activate(try #require(terminal.open.first), button: 2)
        #expect(try await status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "no\n")
        #expect(terminal.unread == 0)
    }

    @Test("'belfry doctor' says what the terminal can do, and that auto takes it")
    func doctor() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let folder = try TemporaryFolder()
        let file = folder.path + "/doctor"
        _ = try await TerminalProgram.run("\(Self.belfry) doctor > '\(file)'", on: terminal)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let found = try #require(lines.first { $0.hasPrefix("terminal ") })
        #expect(found.contains("ok") && found.contains("kitty(0.42.1) (OSC 99) has ") && found.contains("buttons"))
        #expect(lines.contains { $0.hasPrefix("backend ") && $0.contains("auto takes terminal") })
        #expect(terminal.shown.isEmpty, "the doctor shows nothing")
    }
}

@Suite(
    "Through tmux itself",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux"),
        "tmux is not installed: .ci/setup desktop"
    )
)
struct TmuxTests {
    /// Runs a line within tmux, which runs in the terminal; returns when tmux has ended.
    private func run(_ line: String, on terminal: ScriptedTerminal, passthrough: String) async throws -> String {
        let folder = try TemporaryFolder()
        let script = try folder.writeScript("inside", "exec > '\(folder.path)/output' 2>&1\n\(line)\n")
        let settings = folder.path + "/tmux.conf"
        try "set -g allow-passthrough \(passthrough)\n".write(toFile: settings, atomically: true, encoding: .utf8)
        let tmux = "tmux -S '\(folder.path)/s' -f '\(settings)' new-session"
        // The name of the terminal outside is known to tmux when it has answered.
        let known = "until tmux display-message -p '#{client_termtype}' | grep -q .; do :; done"
        _ = try await TerminalProgram.run("\(tmux) \"\(known); sh '\(script)'\"", on: terminal)
        return try String(contentsOfFile: folder.path + "/output", encoding: .utf8)
    }

    private static let belfry = "'\(TerminalProgram.belfry)'"

    @Test(
        "The notice comes out of tmux as it should",
        arguments: ["kitty(0.42.1)", "WezTerm 20240203", "iTerm2 3.5.0"]
    )
    func passes(name: String) async throws {
        var script = ScriptedTerminal.Script.kitty
        script.name = name
        let terminal = try ScriptedTerminal(script)
        let output = try await run("\(Self.belfry) done --title Tests -- true", on: terminal, passthrough: "on")
        #expect(!output.contains("Done after "), "\(output)")
        switch name.first {
        case "k":
            await terminal.wait { !$0.open.isEmpty }
            #expect(terminal.titles == ["Tests"])
            #expect(terminal.open.allSatisfy { $0.body.hasPrefix("Done after ") && !$0.reports })
        case "W": await terminal.wait { $0.commands.contains { $0.hasPrefix("777;notify;Tests;Done after ") } }
        default: await terminal.wait { $0.commands.contains { $0.hasPrefix("9;Tests: Done after ") } }
        }
    }

    @Test("Where tmux lets nothing pass, the error names its option, and auto writes lines")
    func refuses() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let lines = "\(Self.belfry) send Tea --backend terminal\n\(Self.belfry) send Coffee"
        let output = try await run(lines, on: terminal, passthrough: "off")
        #expect(output.contains("allow-passthrough"), "\(output)")
        #expect(output.contains("Coffee"), "\(output)")
        #expect(terminal.shown.isEmpty)
    }
}
