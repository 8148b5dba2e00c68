/// A program between this one and the terminal that keeps what it doesn't know, unless it is wrapped.
enum Multiplexer: Sendable, Hashable {
    case tmux, screen

    /// What passes the command on to the terminal outside.
    func wrapped(_ command: [UInt8]) -> [UInt8] {
        switch self {
        case .tmux:
            // tmux(1), "allow-passthrough": each escape character within is doubled.
            let doubled = command.flatMap { $0 == ASCII.escape ? [$0, $0] : [$0] }
            return ASCII.deviceControl + Array("tmux;".utf8) + doubled + ASCII.stringTerminator
        case .screen:
            // A device control string, which screen passes on as it is. A longer one than `mostBytes` is dropped; the
            // parts come out one behind the other.
            var result: [UInt8] = []
            var rest = command[...]
            while !rest.isEmpty {
                result += ASCII.deviceControl + rest.prefix(Self.mostBytes) + ASCII.stringTerminator
                rest = rest.dropFirst(Self.mostBytes)
            }
            return result
        }
    }

    /// Screen 4 holds 768 bytes (MAXSTR in its `screen.h`).
    private static let mostBytes = 512

    /// By the variables that both set, else by the kind of terminal that both claim to be, also to a machine that is
    /// logged in to from within them.
    static func found(in environment: [String: String]) -> Multiplexer? {
        if environment.hasValue("TMUX") { return .tmux }
        if environment.hasValue("STY") { return .screen }
        let kind = environment["TERM"] ?? ""
        return kind.hasPrefix("tmux") ? .tmux : kind.hasPrefix("screen") ? .screen : nil
    }
}

extension [String: String] {
    func hasValue(_ name: String) -> Bool { self[name]?.isEmpty == false }
}
