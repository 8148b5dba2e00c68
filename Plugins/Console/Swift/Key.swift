/// A key with a meaning.
enum Key: Sendable, Hashable {
    /// The action with the number 1 to 9.
    case action(Int)
    case open
    case dismiss

    init?(byte: UInt8) {
        switch byte {
        case UInt8(ascii: "1")...UInt8(ascii: "9"): self = .action(Int(byte - UInt8(ascii: "0")))
        case ASCII.carriageReturn, ASCII.newline, UInt8(ascii: "o"): self = .open
        case UInt8(ascii: "d"): self = .dismiss
        default: return nil
        }
    }
}
