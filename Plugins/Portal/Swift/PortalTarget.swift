/// What an answer names: which delivery, for a name is used again when a notice is replaced, and which action of it.
///
/// As a text of letters, digits, `-` and `.` alone: the portal's GTK part writes action and target into one key of the
/// notification server's (`name::target`), which servers take apart again: brackets in it make dunst lose the answer.
struct PortalTarget: Hashable {
    var deliveryID: String
    var action: String

    init(_ deliveryID: String, _ action: String) {
        self.deliveryID = deliveryID
        self.action = action
    }

    var text: String { Self.encoded(deliveryID) + Self.separator + Self.encoded(action) }

    init?(_ text: String) {
        guard let middle = text.firstRange(of: Self.separator), let id = Self.decoded(text[..<middle.lowerBound]),
            let action = Self.decoded(text[middle.upperBound...])
        else { return nil }
        self.init(id, action)
    }

    private static let separator = ".-"

    /// A byte that is neither letter, digit nor `-` is `.` and two hexadecimal digits.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789abcdef")
        return text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += ".\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: ".") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
