/// Terminals that show notices, and what they are known by. VTE is none: only some distributions' builds show any.
struct KnownTerminal: Sendable {
    let name: String
    let sequence: TerminalSequence
    /// What its TERM begins with; SSH takes that along.
    private let kind: String?
    /// What TERM_PROGRAM, or LC_TERMINAL, which SSH takes along, says.
    private let program: String?
    /// One that only it sets, and what it starts.
    private let variable: String?

    private init(
        _ name: String,
        _ sequence: TerminalSequence,
        kind: String? = nil,
        program: String? = nil,
        variable: String? = nil
    ) {
        (self.name, self.sequence, self.kind, self.program, self.variable) = (name, sequence, kind, program, variable)
    }

    private static let foot = KnownTerminal("foot", .osc777, kind: "foot")

    private static let all = [
        KnownTerminal("kitty", .osc99, kind: "xterm-kitty", variable: "KITTY_WINDOW_ID"),
        // From version 1.18 on OSC 99 too, but see `bearsSupportQuestion`.
        foot,
        KnownTerminal("WezTerm", .osc777, kind: "wezterm", program: "WezTerm", variable: "WEZTERM_PANE"),
        KnownTerminal("ghostty", .osc777, kind: "xterm-ghostty", program: "ghostty"),
        KnownTerminal("iTerm2", .osc9, program: "iTerm2"),
        KnownTerminal("iTerm2", .osc9, program: "iTerm.app"),
    ]

    /// By the name that a terminal gives itself (XTVERSION): `kitty(0.42.1)`, `WezTerm 20240203`.
    static func named(_ reply: String) -> KnownTerminal? {
        let name = reply.prefix { $0 != "(" && $0 != " " }.lowercased()
        return all.first { $0.name.lowercased() == name }
    }

    /// Whether a terminal of that name can be asked what it can do with OSC 99. foot 1.21 aborts, with all that runs in
    /// it: its answer has 146 bytes at least, and room for 128 (`osc.c`).
    static func bearsSupportQuestion(_ reply: String?) -> Bool { reply.flatMap(named)?.name != foot.name }

    /// By its TERM.
    static func ofKind(_ kind: String) -> KnownTerminal? {
        all.first { terminal in terminal.kind.map(kind.hasPrefix) ?? false }
    }

    /// What says most of the terminal of now comes first: one that was started in another inherits its variables.
    static func found(in environment: [String: String]) -> KnownTerminal? {
        if let terminal = ofKind(environment["TERM"] ?? "") { return terminal }
        for variable in ["TERM_PROGRAM", "LC_TERMINAL"] {
            guard let program = environment[variable], !program.isEmpty else { continue }
            if let terminal = all.first(where: { $0.program == program }) { return terminal }
        }
        return all.first { terminal in terminal.variable.map(environment.hasValue) ?? false }
    }

    /// Kinds of TERM to which nothing is sent: they show it as text.
    static func isPlain(_ kind: String?) -> Bool {
        guard let kind, !kind.isEmpty else { return true }
        return kind == "dumb" || kind == "unknown" || kind.hasPrefix("linux")
    }
}
