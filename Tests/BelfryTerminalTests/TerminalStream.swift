/// What a terminal makes of bytes, told apart strictly and by other code than the backend's: commands, sequences, and
/// what would stand on the screen.
struct TerminalStream: Sendable {
    /// The texts of operating system commands.
    private(set) var commands: [String] = []
    /// Parameters and final character of each control sequence.
    private(set) var sequences: [String] = []
    /// The texts of device control strings.
    private(set) var deviceControls: [String] = []
    /// What is no part of any of them, controls included.
    private(set) var screen: [UInt8] = []

    private enum Kind { case command, deviceControl }
    private enum Place { case screen, afterEscape, inSequence, inString(Kind), endOfString(Kind) }
    private var place = Place.screen
    private var bytes: [UInt8] = []

    /// A string was begun and has not ended.
    var isInside: Bool { if case .screen = place { false } else { true } }

    mutating func take(_ more: some Sequence<UInt8>) {
        for byte in more { take(byte) }
    }

    private mutating func take(_ byte: UInt8) {
        switch (place, byte) {
        case (.screen, 0x1B): place = .afterEscape
        case (.screen, _): screen.append(byte)
        case (.afterEscape, UInt8(ascii: "]")): begin(.inString(.command))
        case (.afterEscape, UInt8(ascii: "P")): begin(.inString(.deviceControl))
        case (.afterEscape, UInt8(ascii: "[")): begin(.inSequence)
        case (.afterEscape, _):
            screen += [0x1B, byte]
            place = .screen
        case (.inSequence, 0x40...0x7E):
            sequences.append(String(decoding: bytes + [byte], as: UTF8.self))
            place = .screen
        case (.inSequence, _): bytes.append(byte)
        case (.inString(let kind), 0x07) where kind == .command: end(kind)
        case (.inString(let kind), 0x1B): place = .endOfString(kind)
        // Any other control ends the string as well: terminals differ in which.
        case (.inString(let kind), 0..<0x20) where kind == .command:
            end(kind)
            screen.append(byte)
        case (.inString, _): bytes.append(byte)
        case (.endOfString(let kind), UInt8(ascii: "\\")): end(kind)
        // In a device control string of tmux, the first of two.
        case (.endOfString(.deviceControl), _):
            bytes += [0x1B, byte]
            place = .inString(.deviceControl)
        case (.endOfString(let kind), _):
            end(kind)
            place = .afterEscape
            take(byte)
        }
    }

    private mutating func begin(_ new: Place) {
        place = new
        bytes = []
    }

    private mutating func end(_ kind: Kind) {
        let text = String(decoding: bytes, as: UTF8.self)
        if kind == .command { commands.append(text) } else { deviceControls.append(text) }
        place = .screen
    }
}
