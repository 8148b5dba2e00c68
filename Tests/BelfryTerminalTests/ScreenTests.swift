import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "Through screen itself",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/screen"),
        "screen is not installed: .ci/setup desktop"
    )
)
struct ScreenTests {
    private static let belfry = "'\(TerminalProgram.belfry)'"

    /// Runs a line within screen, which runs in the terminal that the variables tell; returns when screen has ended.
    private func run(_ line: String, on terminal: ScriptedTerminal, adding variables: [String: String]) async throws {
        let folder = try TemporaryFolder()
        let script = try folder.writeScript("inside", line)
        let settings = try folder.write("screenrc", "startup_message off\ndeflogin off\n")
        let sockets = try folder.folder("sockets")
        chmod(sockets, 0o700)
        _ = try await TerminalProgram.run(
            "screen -U -c '\(settings)' '\(script)'",
            on: terminal,
            adding: variables.merging(["SCREENDIR": sockets]) { $1 }
        )
    }

    @Test("The notice comes out of screen as it should", arguments: ["kitty", "WezTerm", "iTerm2"])
    func passes(name: String) async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let variables = ["kitty": "KITTY_WINDOW_ID", "WezTerm": "WEZTERM_PANE", "iTerm2": "LC_TERMINAL"]
        let line = "\(Self.belfry) done --title Tests -- true"
        try await run(line, on: terminal, adding: [try #require(variables[name]): name])
        switch name {
        case "kitty":
            await terminal.wait { !$0.open.isEmpty }
            #expect(terminal.titles == ["Tests"])
            #expect(terminal.open.allSatisfy { $0.body.hasPrefix("Done after ") && !$0.reports })
        case "WezTerm": await terminal.wait { $0.commands.contains { $0.hasPrefix("777;notify;Tests;Done after ") } }
        default: await terminal.wait { $0.commands.contains { $0.hasPrefix("9;Tests: Done after ") } }
        }
    }

    @Test("A text that is longer than what screen holds comes out whole") func long() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        // 780 bytes, where screen holds 768.
        let text = String(repeating: "ä", count: 390)
        let line = "\(Self.belfry) send Tea '\(text)' --backend terminal:osc777"
        try await run(line, on: terminal, adding: [:])
        await terminal.wait { $0.commands.contains { $0.hasPrefix("777;") } }
        #expect(terminal.commands.contains("777;notify;Tea;\(text)"))
    }
    /// screen keeps the last eight bits of a character: those of "ě" are ESC, those of "ć" BEL.
    @Test("No character becomes one that the terminal obeys") func hostile() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let line = "\(Self.belfry) send '\u{11B}c ☕' 'Tü\u{107}\u{11B}]9;x\u{107}' --backend terminal:osc777"
        try await run(line, on: terminal, adding: [:])
        await terminal.wait { $0.commands.contains { $0.hasPrefix("777;") } }
        #expect(terminal.commands.filter { $0.hasPrefix("777;") } == ["777;notify;?c ?;Tü??]9,x?"])
        #expect(!terminal.commands.contains { $0.hasPrefix("9;") })
        #expect(!terminal.bytes.contains([0x1B, UInt8(ascii: "c")]), "a full reset")
    }
}
