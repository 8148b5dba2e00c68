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
                let part = rest.prefix(Self.lengthOfPart(of: rest))
                result += ASCII.deviceControl + part + ASCII.stringTerminator
                rest = rest.dropFirst(part.count)
            }
            return result
        }
    }

    /// Screen 4 holds 768 bytes (MAXSTR in its `screen.h`).
    private static let mostBytes = 512

    /// A part ends between two characters: screen makes others of the halves of one.
    private static func lengthOfPart(of rest: ArraySlice<UInt8>) -> Int {
        guard rest.count > mostBytes else { return rest.count }
        var length = mostBytes
        while rest[rest.startIndex + length] & 0xC0 == 0x80 { length -= 1 }
        return length
    }

    /// Whether the character arrives outside as it is.
    ///
    /// Screen keeps eight bits of each character of a string (`StringChar` in the `ansi.c` of 4.9): "ě", U+011B, would
    /// become ESC outside, and the text behind it a sequence that the terminal obeys.
    func passes(_ character: Unicode.Scalar) -> Bool { self != .screen || character.value <= 0xFF }

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
