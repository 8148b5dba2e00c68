import Belfry

/// A value of a JSON file, with its position.
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
    /// The offset of the first byte.
    let offset: Int

    var fields: [JSONField]? { if case .object(let fields) = value { fields } else { nil } }
    var elements: [JSONNode]? { if case .list(let elements) = value { elements } else { nil } }
    var text: String? { if case .text(let text) = value { text } else { nil } }
    var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }

    /// The number; nil if it is not finite.
    var number: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number) where number.isFinite: number
        default: nil
        }
    }

    /// The integer; nil if the number is not whole.
    var integer: Int? {
        switch value {
        case .integer(let number): Int(exactly: number)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    subscript(_ name: String) -> JSONNode? { fields?.first { $0.name == name }?.node }

    /// The value in a canonical form, independent of the order of keys, white space and quotes.
    ///
    /// Stored fingerprints are made from it, so it never changes.
    var canonical: String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): Int64(exactly: value).map(String.init) ?? "\(value)"
        case .text(let value): Self.quoted(value)
        case .list(let elements): "[\(elements.map(\.canonical).joined(separator: ","))]"
        case .object(let fields):
            "{"
                + fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                .map { "\(Self.quoted($0.name)):\($0.node.canonical)" }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }) else {
            return "\"\(text)\""
        }
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// The value as shown in messages.
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
}

/// A key of an object, with its value.
struct JSONField: Sendable {
    let name: String
    let nameOffset: Int
    let node: JSONNode
}
