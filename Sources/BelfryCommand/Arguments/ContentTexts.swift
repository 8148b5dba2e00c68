import Belfry
import BelfrySchedules
import FoundationEssentials

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

/// Icons, images and sounds as the user names them: a name of the theme, a path, or a `file:` URL.
enum PictureText {
    static func icon(_ text: String) -> NoticeIcon { isFile(text) ? .file(path(text)) : .named(text) }

    static func image(_ text: String) -> NoticeImage { isFile(text) ? .file(path(text)) : .named(text) }

    static func sound(_ text: String) -> NoticeSound {
        switch text {
        case "default", "standard": .standard
        case "none", "silent": .silent
        default: isFile(text) ? .file(path(text)) : .named(text)
        }
    }

    /// Returns an absolute path, since the process that shows the notice has another working directory.
    static func path(_ text: String) -> String {
        if text.hasPrefix("file://"), let address = URL(string: text) { return address.path }
        return PathText.path(text)
    }

    private static func isFile(_ text: String) -> Bool {
        text.contains("/") || PathText.isRegularFile(path(text))
    }
}

/// A hint in the form of notify-send: `TYPE:NAME:VALUE`.
struct HintText: Hashable, Sendable {
    let name: String
    let value: NoticeContent.Hint

    private static let advice = "write it as TYPE:NAME:VALUE, of type boolean, int, double, string or byte."

    init(_ text: String) throws(NoticeError) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[1].isEmpty else {
            throw .unreadable("--hint: '\(text.clipped)' can't be read; \(Self.advice)")
        }
        name = parts[1]
        value = try Self.value(parts[2], type: parts[0].lowercased(), of: text)
    }

    private static func value(_ text: String, type: String, of hint: String) throws(NoticeError) -> NoticeContent.Hint {
        let value: NoticeContent.Hint?
        switch type {
        case "string": value = .string(text)
        case "int", "int32": value = Int32(text).map(NoticeContent.Hint.int)
        case "uint32": value = UInt32(text).map(NoticeContent.Hint.uint)
        case "int64": value = Int64(text).map(NoticeContent.Hint.int64)
        case "byte": value = UInt8(text).map(NoticeContent.Hint.byte)
        case "double": value = Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case "boolean": value = boolean(text).map(NoticeContent.Hint.bool)
        case "variant": value = variant(text)
        default: throw .unreadable("--hint: '\(hint.clipped)' is of no known type; \(advice)")
        }
        guard let value else { throw .unreadable("--hint: '\(text.clipped)' is no \(type), in '\(hint.clipped)'.") }
        return value
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true": true
        case "false": false
        default: Int64(text).map { $0 != 0 }
        }
    }

    /// Parses the simple values of the GVariant Text Format: a number, true or false, or a quoted text. Each may have
    /// its type as a prefix.
    private static func variant(_ text: String) -> NoticeContent.Hint? {
        let text = String(text.trimmed)
        if let first = text.first, first == "'" || first == "\"" {
            guard text.count >= 2, text.last == first, !text.contains("\\") else { return nil }
            return .string(String(text.dropFirst().dropLast()))
        }
        if text == "true" || text == "false" { return .bool(text == "true") }
        if let number = Int32(text) { return .int(number) }
        if let number = Double(text), number.isFinite { return .double(number) }
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, ["byte", "int32", "uint32", "int64", "double", "boolean", "string"].contains(words[0])
        else { return nil }
        let inner = String(words[1].trimmed)
        if words[0] == "string" { return inner.first == "'" || inner.first == "\"" ? variant(inner) : nil }
        return try? value(inner, type: String(words[0]), of: text)
    }
}

extension NoticeContent {
    /// Applies a hint. A hint with a matching field sets that field, so that every server handles it correctly. Other
    /// hints are passed on unchanged.
    mutating func take(_ hint: HintText) {
        switch (hint.name, hint.value) {
        case ("urgency", .byte(0)): level = .passive
        case ("urgency", .byte(1)): level = .active
        case ("urgency", .byte(2)): level = .critical
        case ("category", .string(let name)): desktop.category = name
        case ("transient", .bool(let flag)): desktop.isTransient = flag
        case ("transient", .int(let flag)): desktop.isTransient = flag != 0
        case ("resident", .bool(let flag)): desktop.isResident = flag
        case ("sound-name", .string(let name)): sound = .named(name)
        case ("sound-file", .string(let path)): sound = .file(PictureText.path(path))
        case ("suppress-sound", .bool(true)): sound = .silent
        case ("image-path", .string(let text)), ("image_path", .string(let text)): image = PictureText.image(text)
        default: desktop.hints[hint.name] = hint.value
        }
    }
}
