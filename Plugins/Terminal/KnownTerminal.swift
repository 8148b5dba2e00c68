/// Terminals that show notices, and how to recognize them. VTE is omitted: only some distributions' builds show any.
struct KnownTerminal: Sendable {
    let name: String
    let sequence: TerminalSequence
    /// The prefix of its TERM, which SSH forwards.
    var kind: String?
    /// Its value of TERM_PROGRAM, or of LC_TERMINAL, which SSH forwards.
    var program: String?
    /// A variable that only this terminal and its children have.
    var variable: String?

    private static let foot = KnownTerminal(name: "foot", sequence: .osc777, kind: "foot")

    private static let all = [
        KnownTerminal(name: "kitty", sequence: .osc99, kind: "xterm-kitty", variable: "KITTY_WINDOW_ID"),
        // OSC 99 too from version 1.18 on, but see `bearsSupportQuestion`.
        foot,
        KnownTerminal(
            name: "WezTerm",
            sequence: .osc777,
            kind: "wezterm",
            program: "WezTerm",
            variable: "WEZTERM_PANE"
        ),
        KnownTerminal(name: "ghostty", sequence: .osc777, kind: "xterm-ghostty", program: "ghostty"),
        KnownTerminal(name: "iTerm2", sequence: .osc9, program: "iTerm2"),
        KnownTerminal(name: "iTerm2", sequence: .osc9, program: "iTerm.app"),
    ]

    /// Returns the terminal by the name that it reports (XTVERSION): `kitty(0.42.1)`, `WezTerm 20240203`.
    static func named(_ reply: String) -> KnownTerminal? {
        let name = reply.prefix { $0 != "(" && $0 != " " }.lowercased()
        return all.first { $0.name.lowercased() == name }
    }

    /// Whether a terminal of that name can be queried for OSC 99. foot 1.21 aborts, with everything that runs in it:
    /// its reply has at least 146 bytes, and its buffer 128 (`osc.c`).
    static func bearsSupportQuestion(_ reply: String?) -> Bool { reply.flatMap(named)?.name != foot.name }

    /// Returns the terminal by its TERM.
    static func ofKind(_ kind: String) -> KnownTerminal? {
        all.first { terminal in terminal.kind.map(kind.hasPrefix) ?? false }
    }

    /// Returns the terminal by the environment. The most reliable variable comes first: a terminal that was started in
    /// another one inherits that one's variables.
    static func found(in environment: [String: String]) -> KnownTerminal? {
        if let terminal = ofKind(environment["TERM"] ?? "") { return terminal }
        for variable in ["TERM_PROGRAM", "LC_TERMINAL"] {
            guard let program = environment[variable], !program.isEmpty else { continue }
            if let terminal = all.first(where: { $0.program == program }) { return terminal }
        }
        return all.first { terminal in terminal.variable.map(environment.hasValue) ?? false }
    }

    /// Whether nothing must be sent to a terminal with this TERM: it would show it as text.
    static func isPlain(_ kind: String?) -> Bool {
        guard let kind, !kind.isEmpty else { return true }
        return kind == "dumb" || kind == "unknown" || kind.hasPrefix("linux")
    }
}
