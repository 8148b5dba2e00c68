/// Extracts replies from the bytes that a terminal sends. Keys and other input are skipped.
struct ReplyParser: Sendable {
    enum Reply: Sendable, Hashable {
        /// The text of an operating system command (OSC).
        case command(String)
        /// The text of a device control string (DCS).
        case deviceControl(String)
        /// Parameters and final character of a control sequence (CSI).
        case sequence(String)
    }

    private enum Kind { case command, deviceControl, ignored }

    private enum Place {
        case outside, afterEscape, inSequence
        case inString(Kind)
        /// An escape character that ends the string, or is the first half of its terminator.
        case afterEscapeInString(Kind)
    }

    private var place = Place.outside
    private var bytes: [UInt8] = []

    /// Longer strings are truncated; no expected reply comes near this length.
    static let mostBytes = 4096

    /// Processes a byte and returns the reply that it completes.
    mutating func reply(after byte: UInt8) -> Reply? {
        switch place {
        case .outside: if byte == ASCII.escape { place = .afterEscape }
        case .afterEscape: begin(byte)
        case .inSequence:
            // ECMA-48, 5.4: parameters and intermediates, then one final byte.
            switch byte {
            case 0x20...0x3F: hold(byte)
            case 0x40...0x7E:
                hold(byte)
                place = .outside
                return .sequence(String(decoding: bytes, as: UTF8.self))
            default: place = byte == ASCII.escape ? .afterEscape : .outside
            }
        case .inString(let kind):
            switch byte {
            case ASCII.escape: place = .afterEscapeInString(kind)
            case ASCII.bell: return end(kind)
            case ASCII.cancel, ASCII.substitute: place = .outside
            default: hold(byte)
            }
        case .afterEscapeInString(let kind):
            if byte == ASCII.stringTerminator[1] { return end(kind) }
            begin(byte)
        }
        return nil
    }

    private mutating func begin(_ byte: UInt8) {
        bytes = []
        switch byte {
        case UInt8(ascii: "["): place = .inSequence
        case UInt8(ascii: "]"): place = .inString(.command)
        case UInt8(ascii: "P"): place = .inString(.deviceControl)
        case UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"): place = .inString(.ignored)
        case ASCII.escape: place = .afterEscape
        default: place = .outside
        }
    }

    private mutating func hold(_ byte: UInt8) {
        if bytes.count < Self.mostBytes { bytes.append(byte) }
    }

    private mutating func end(_ kind: Kind) -> Reply? {
        place = .outside
        let text = String(decoding: bytes, as: UTF8.self)
        return switch kind {
        case .command: .command(text)
        case .deviceControl: .deviceControl(text)
        case .ignored: nil
        }
    }
}
