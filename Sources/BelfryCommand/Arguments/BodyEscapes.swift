import Belfry

/// Resolves backslash escapes in a body as notify-send does (GLib's `g_strcompress`): `\n \t \b \f \r \v`, and up to
/// three octal digits. Any other escaped character stands for itself.
enum BodyEscapes {
    static func resolve(_ text: String) throws(NoticeError) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else {
                throw .unreadable("The body ends in a single backslash; write \\\\ for a backslash.")
            }
            switch escaped {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "v"): bytes.append(0x0B)
            case octalDigits: bytes.append(octal(escaped, &rest))
            default: bytes.append(escaped)
            }
        }
        guard let resolved = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable("The escapes of the body make no UTF-8; write the characters themselves.")
        }
        return resolved
    }

    private static let octalDigits = UInt8(ascii: "0")...UInt8(ascii: "7")

    /// Values that do not fit in a byte wrap around, as in C.
    private static func octal(_ first: UInt8, _ rest: inout Substring.UTF8View) -> UInt8 {
        var value = Int(first - UInt8(ascii: "0"))
        for _ in 0..<2 {
            guard let digit = rest.first, octalDigits.contains(digit) else { break }
            value = value * 8 + Int(digit - UInt8(ascii: "0"))
            rest = rest.dropFirst()
        }
        return UInt8(truncatingIfNeeded: value)
    }
}
