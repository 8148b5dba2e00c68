import BelfryTestSupport
import Testing

@testable import BelfryConsole

@Suite("What a terminal sends", .takesTurns)
struct TerminalInputTests {
    private func inputs(_ text: String) -> [TerminalInputParser.Input] {
        var parser = TerminalInputParser()
        return text.utf8.compactMap { parser.input(after: $0) }
    }

    private func replies(to text: String) -> [TerminalInputParser.Input] {
        inputs(text).filter { if case .key = $0 { false } else { true } }
    }

    @Test("Keys are found among replies and the keys that are sequences; Enter ends a string")
    func keys() {
        func keys(_ text: String) -> [String] {
            inputs(text).compactMap { if case .key(let byte) = $0 { String(UnicodeScalar(byte)) } else { nil } }
        }
        #expect(keys("1\u{1B}[1~2\u{1B}OP3\u{1B}a4\u{1B}O\u{1B}[A5\u{1B}\u{1B}b6") == ["1", "2", "3", "4", "5", "6"])
        #expect(keys("\u{1B}P>|foot(1)\u{1B}\\1\u{1B}]9;d\u{07}2\u{1B}_o\u{1B}\\3") == ["1", "2", "3"])
        #expect(keys("\u{1B}Pd\rd\u{1B}]o\no") == ["\r", "d", "\n", "o"])
    }

    @Test("Replies are found among keys and what other programs asked for")
    func found() {
        #expect(
            replies(to: "ls\u{1B}[A\u{1B}]99;i=a;\u{1B}\\\u{1B}OP\u{1B}P>|foot(1.18)\u{1B}\\\u{1B}[?62;4c") == [
                .sequence("A"), .command("99;i=a;"), .deviceControl(">|foot(1.18)"), .sequence("?62;4c"),
            ]
        )
        // Either end; a reply that is broken off by the next; one that is canceled; strings that nobody asked for.
        #expect(replies(to: "\u{1B}]99;i=a;\u{07}") == [.command("99;i=a;")])
        #expect(replies(to: "\u{1B}]11;rgb\u{1B}]99;i=b;\u{1B}\\") == [.command("99;i=b;")])
        #expect(replies(to: "\u{1B}]99;\u{18}c\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[c") == [.sequence("c")])
    }

    @Test("A reply without an end is not held, and what comes behind its end is read")
    func endless() {
        let text = "\u{1B}]" + String(repeating: "x", count: 100_000) + "\u{07}\u{1B}[?1c"
        guard case .command(let kept)? = replies(to: text).first else { return #expect(Bool(false)) }
        #expect(kept.utf8.count == TerminalInputParser.mostBytes)
        #expect(replies(to: text).last == .sequence("?1c"))
    }
}
