import BelfryConsole
import BelfryTestSupport
import SeededRandom
import Testing

@testable import BelfryTerminal

@Suite("What a terminal says", .takesTurns)
struct ReplyTests {
    @Test("Noise is no report, and does no harm")
    func noise() {
        var random = SeededGenerator(seed: RandomSeed.current)
        let pieces = [
            "\u{1B}", "]", "99", ";", "i=", "belfry-1", ":", "p=", "close", "?", "\u{07}", "\\", "[", "P", "=", "-1",
            "0",
            "99999999999999999999", "é", "\u{9D}",
        ]
        for _ in 0..<5_000 {
            var parser = TerminalInputParser()
            let inputs = random.text(of: pieces, upTo: 30).utf8.compactMap { parser.input(after: $0) }
            for case .command(let text) in inputs {
                guard let report = KittyReport(text) else { continue }
                #expect(!report.id.isEmpty)
            }
        }
    }

    @Test("Reports are read as the specification has them, spaces and all")
    func reports() {
        #expect(KittyReport("99;i=belfry-1;")?.event == .activated(button: nil))
        #expect(KittyReport("99;i=belfry-1;2")?.event == .activated(button: 2))
        #expect(KittyReport("99; i=belfry-1 : p=close ;")?.event == .closed)
        #expect(KittyReport("99;i=belfry-1:p=close;untracked")?.event == .untracked)
        #expect(KittyReport("99;p=close;") == nil)
        #expect(KittyReport("99;i=belfry-1:p=alive;belfry-1") == nil)
        #expect(KittyReport("99;i=belfry-1;x") == nil)
        #expect(KittyReport("9;i=belfry-1;") == nil)
        guard case .support(let support)? = KittyReport("99;i=q:p=?;p=title,body:o=always")?.event else {
            return #expect(Bool(false))
        }
        #expect(support.payloads == ["title", "body"])
        #expect(!support.reportsActivation && !support.reportsClosing && !support.hasUrgency && !support.hasExpiry)
    }

    @Test("Terminals are known by what they say, else by the variables that mean most")
    func known() {
        let names = [
            ("kitty(0.42.1)", "kitty"), ("foot(1.21.0)", "foot"), ("WezTerm 20240203-110809", "WezTerm"),
            ("ghostty 1.2.0", "ghostty"), ("iTerm2 3.5.0", "iTerm2"),
        ]
        for (reply, name) in names { #expect(KnownTerminal.named(reply)?.name == name) }
        for reply in ["XTerm(379)", "VTE(7600)", "tmux 3.4", ""] { #expect(KnownTerminal.named(reply) == nil) }
        let environments: [([String: String], String?)] = [
            (["TERM": "xterm-kitty"], "kitty"), (["TERM": "foot-extra"], "foot"),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], "WezTerm"),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], "iTerm2"),
            // Started in kitty.
            (["TERM": "foot", "KITTY_WINDOW_ID": "1"], "foot"),
            (["TERM": "xterm-256color", "VTE_VERSION": "7600"], nil), (["TERM": "xterm"], nil), ([:], nil),
        ]
        for (environment, name) in environments { #expect(KnownTerminal.found(in: environment)?.name == name) }
    }

    @Test("A terminal that answers, but not this, hasn't it, whatever the variables say")
    func staleVariables() {
        let environment = ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]
        let answered = TerminalReply(isComplete: true)
        #expect(TerminalProfile(asked: nil, answered, environment: environment) == nil)
        #expect(TerminalProfile(asked: nil, nil, environment: environment)?.sequence == .osc99)
        // Another one, started in it.
        let named = TerminalReply(name: "XTerm(379)")
        #expect(TerminalProfile(asked: nil, named, environment: environment) == nil)
        #expect(TerminalProfile(asked: .osc9, named, environment: environment)?.sequence == .osc9)
        // tmux on the other machine answers for the terminal.
        let remote = TerminalReply(name: "tmux 3.4", isComplete: true)
        let profile = TerminalProfile(asked: .osc777, remote, environment: environment)
        #expect(profile?.multiplexer == .tmux)
    }

    @Test("What tmux says of its client, and why nothing would pass")
    func tmux() throws {
        let client = try TmuxClient("all\tWezTerm 2024\txterm-256color\t0\t1")
        #expect(TerminalProfile(asked: nil, client)?.sequence == .osc777)
        // tmux 3.3 has a flag, and 3.2 passed everything.
        #expect(try TmuxClient("1\t\txterm-kitty\t1\t1").kind == "xterm-kitty")
        #expect(try TmuxClient("\t\tfoot\t1\t1").kind == "foot")
        for line in ["0\tfoot\tfoot\t1\t1", "off\tfoot\tfoot\t1\t1", "on\tfoot\tfoot\t0\t1", "all\t\t\t1\t0", "", "on"]
        {
            #expect(throws: (any Error).self, "\(line)") { try TmuxClient(line) }
        }
        #expect(TerminalProfile(asked: nil, try TmuxClient("on\t\txterm-256color\t1\t1")) == nil)
    }
}
