import BelfryConsole

/// A program between this one and the terminal that drops unknown commands unless they are wrapped.
enum Multiplexer: Sendable, Hashable {
    case tmux, screen

    /// Returns the bytes that pass the command on to the outer terminal.
    func wrapped(_ command: [UInt8]) -> [UInt8] {
        switch self {
        case .tmux:
            // tmux(1), "allow-passthrough": each escape character inside is doubled.
            let doubled = command.flatMap { $0 == ASCII.escape ? [$0, $0] : [$0] }
            return ASCII.deviceControl + Array("tmux;".utf8) + doubled + ASCII.stringTerminator
        case .screen:
            // screen passes device control strings on unchanged, and drops any longer than its buffer. The terminal
            // receives the parts as one command.
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

    /// Bytes per part. Screen 4 has a buffer of 768 bytes (MAXSTR in its `screen.h`).
    private static let mostBytes = 512

    /// Returns the length of the next part. It ends between characters: screen corrupts a character that is split.
    private static func lengthOfPart(of rest: ArraySlice<UInt8>) -> Int {
        guard rest.count > mostBytes else { return rest.count }
        var length = mostBytes
        while rest[rest.startIndex + length] & 0xC0 == 0x80 { length -= 1 }
        return length
    }

    /// Whether the character reaches the outer terminal unchanged.
    ///
    /// Screen keeps eight bits of each character of a string (`StringChar` in the `ansi.c` of 4.9). "ě", U+011B, would
    /// become ESC outside, and the terminal would interpret the text after it as a sequence.
    func passes(_ character: Unicode.Scalar) -> Bool { self != .screen || character.value <= 0xFF }

    /// Detects the multiplexer by the variables that both set, or by TERM, which SSH forwards to other machines.
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
