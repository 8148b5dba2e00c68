/// Separates the bytes that a terminal sends into keys and replies. Both may arrive at any time: the reply to a query
/// that was given up comes while keys are read.
package struct TerminalInputParser: Sendable {
    package enum Input: Sendable, Hashable {
        /// A byte outside of sequences and strings.
        case key(UInt8)
        /// The text of an operating system command (OSC).
        case command(String)
        /// The text of a device control string (DCS).
        case deviceControl(String)
        /// Parameters and final character of a control sequence (CSI): a reply, or a key such as Home (`ESC [ 1 ~`).
        case sequence(String)
    }

    private enum Kind { case command, deviceControl, ignored }

    private enum Place {
        case outside, afterEscape, inSequence
        /// Before the one character of a key such as F1 (`ESC O P`).
        case inSingleShift
        case inString(Kind)
        /// An escape character that ends the string, or is the first half of its terminator.
        case afterEscapeInString(Kind)
    }

    private var place = Place.outside
    private var bytes: [UInt8] = []

    /// Longer strings are truncated; no expected reply comes near this length.
    static let mostBytes = 4096

    package init() {}

    /// Processes a byte and returns the key or the reply that it completes.
    package mutating func input(after byte: UInt8) -> Input? {
        switch place {
        case .outside:
            guard byte == ASCII.escape else { return .key(byte) }
            place = .afterEscape
        case .afterEscape: begin(byte)
        case .inSingleShift: place = byte == ASCII.escape ? .afterEscape : .outside
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
            // No reply contains a line break: the user pressed a key that looks like its beginning (Alt-P), then Enter.
            case ASCII.carriageReturn, ASCII.newline:
                place = .outside
                return .key(byte)
            default: hold(byte)
            }
        case .afterEscapeInString(let kind):
            if byte == ASCII.stringTerminator[1] { return end(kind) }
            begin(byte)
        }
        return nil
    }

    /// Begins what this byte after an escape character denotes. A key that was pressed with Alt is ignored.
    private mutating func begin(_ byte: UInt8) {
        bytes = []
        switch byte {
        case UInt8(ascii: "["): place = .inSequence
        case UInt8(ascii: "O"): place = .inSingleShift
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

    private mutating func end(_ kind: Kind) -> Input? {
        place = .outside
        let text = String(decoding: bytes, as: UTF8.self)
        return switch kind {
        case .command: .command(text)
        case .deviceControl: .deviceControl(text)
        case .ignored: nil
        }
    }
}
