import Belfry

/// A value of a JSON file, and where it stands.
struct JSONNode: Sendable {
    indirect enum Value: Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case text(String)
        case list([JSONNode])
        case object([JSONField])
    }

    let value: Value
    /// The first byte.
    let offset: Int

    var fields: [JSONField]? { if case .object(let fields) = value { fields } else { nil } }
    var elements: [JSONNode]? { if case .list(let elements) = value { elements } else { nil } }
    var text: String? { if case .text(let text) = value { text } else { nil } }
    var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }

    /// Nil where it is not finite.
    var number: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number) where number.isFinite: number
        default: nil
        }
    }

    /// Nil where it is not whole.
    var integer: Int? {
        switch value {
        case .integer(let number): Int(exactly: number)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    subscript(_ name: String) -> JSONNode? { fields?.first { $0.name == name }?.node }

    /// In one form, whatever the order of the keys, the blanks and the quotes were.
    ///
    /// Fingerprints that are stored are made from it: it never changes.
    var canonical: String {
        var text = ""
        appendCanonical(to: &text)
        return text
    }

    private func appendCanonical(to text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += Int64(exactly: value).map(String.init) ?? "\(value)"
        case .text(let value): Self.appendQuoted(value, to: &text)
        case .list(let elements):
            text += "["
            for (number, element) in elements.enumerated() {
                if number > 0 { text += "," }
                element.appendCanonical(to: &text)
            }
            text += "]"
        case .object(let fields):
            text += "{"
            let sorted = fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            for (number, field) in sorted.enumerated() {
                if number > 0 { text += "," }
                Self.appendQuoted(field.name, to: &text)
                text += ":"
                field.node.appendCanonical(to: &text)
            }
            text += "}"
        }
    }

    /// As it stands in messages.
    var found: String {
        switch value {
        case .list(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object(let fields): fields.isEmpty ? "an empty object" : "an object"
        case .text(let text): "'\(text.clipped)'"
        case .number(let value): "\(value)"
        default: canonical
        }
    }

    var json: JSONValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .int(value)
        case .number(let value): .double(value)
        case .text(let text): .string(text)
        case .list(let elements): .array(elements.map(\.json))
        case .object(let fields):
            .object(Dictionary(fields.map { ($0.name, $0.node.json) }, uniquingKeysWith: { _, last in last }))
        }
    }

    private static func appendQuoted(_ value: String, to text: inout String) {
        text += "\""
        if value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }) {
            text += value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        } else {
            text += value
        }
        text += "\""
    }
}

/// A key of an object, and its value.
struct JSONField: Sendable {
    let name: String
    let nameOffset: Int
    let node: JSONNode
}
