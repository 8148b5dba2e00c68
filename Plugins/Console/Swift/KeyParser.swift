/// A key with a meaning.
enum Key: Sendable, Hashable {
    /// The action with the number 1 to 9.
    case action(Int)
    case open
    case dismiss
}

/// Parses keys from the bytes of a terminal. Ignores digits inside the sequences of other keys (`ESC [ 1 ~` is Home).
struct KeyParser: Sendable {
    private enum Place { case outside, afterEscape, inSequence, inSingleShift }
    private var place = Place.outside

    mutating func key(of byte: UInt8) -> Key? {
        switch place {
        case .outside: break
        case .afterEscape:
            switch byte {
            case UInt8(ascii: "["): place = .inSequence
            case UInt8(ascii: "O"): place = .inSingleShift
            case 0x1B: place = .afterEscape
            // A key pressed with Alt is ignored.
            default: place = .outside
            }
            return nil
        case .inSingleShift:
            place = .outside
            return nil
        case .inSequence:
            // ECMA-48, 5.4: parameters and intermediates, then one final byte.
            if !(0x20...0x3F).contains(byte) { place = byte == 0x1B ? .afterEscape : .outside }
            return nil
        }
        switch byte {
        case 0x1B: place = .afterEscape
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return .action(Int(byte - UInt8(ascii: "0")))
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "o"): return .open
        case UInt8(ascii: "d"): return .dismiss
        default: break
        }
        return nil
    }
}
