/// The target of a response: the delivery, since replaced notices share a name, and the action.
///
/// Its text has only letters, digits, `-` and `.`: the portal's GTK backend joins action and target into one key of the
/// notification server (`name::target`), which servers parse again. With brackets in it, dunst loses the response.
struct PortalTarget: Hashable {
    /// The action of every button; its target names the button. It arrives as a signal of the portal, which names the
    /// notice and reaches every listener.
    static let action = "belfry-answer"
    /// The same as a call of the app's action ("exported" actions have this prefix), which names no notice. It starts
    /// an app that doesn't run.
    static let appAction = "app." + action

    var deliveryID: String
    var action: String
    /// The notice's name, if the response doesn't contain it otherwise.
    var handle: String?

    var text: String {
        ([deliveryID, action] + [handle].compactMap { $0 }).map(Self.encoded).joined(separator: Self.separator)
    }

    /// Returns nil for a text that isn't a target of Belfry's.
    static func read(_ text: String) -> PortalTarget? {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(Self.decoded)
        guard parts.count == 2 || parts.count == 3, !parts.contains(nil), let id = parts[0], let action = parts[1]
        else {
            return nil
        }
        return PortalTarget(deliveryID: id, action: action, handle: parts.count == 3 ? parts[2] : nil)
    }

    private static let separator = ".-"

    /// Encodes each byte that is neither a letter, a digit nor `-` as `.` and two hexadecimal digits.
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
