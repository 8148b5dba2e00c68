import Belfry
import BelfrySchedules

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
