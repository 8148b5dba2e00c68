/// A value that can be stored and sent to other processes, such as ``NoticeContent/userInfo``.
///
/// ```swift
/// let mail = NoticeContent(title: "Mail from Anna", userInfo: ["message": 4711, "folders": ["inbox", "family"]])
/// if let message = response.userInfo["message"]?.intValue { print("Open message \(message)") }
/// ```
public enum JSONValue: Sendable, Hashable {
    /// JSON's null.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number of 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The Boolean; nil for anything else.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The whole number; nil for anything else.
    public var intValue: Int64? { if case .int(let value) = self { value } else { nil } }
    /// The number, whole or not; nil for anything else.
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }
    /// The string; nil for anything else.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The list; nil for anything else.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The values by name; nil for anything else.
    public var objectValue: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// The maximum nesting depth of arrays and objects.
    package static let deepest = 64
    /// The maximum nesting depth of a document that contains such a value.
    package static let deepestText = deepest + 16

    /// Returns whether arrays and objects are nested at most `levels` deep. It never recurses deeper than that.
    func isNested(atMost levels: Int = deepest) -> Bool {
        switch self {
        case .null, .bool, .int, .double, .string: true
        case .array(let values): levels > 0 && values.allSatisfy { $0.isNested(atMost: levels - 1) }
        case .object(let values): levels > 0 && values.values.allSatisfy { $0.isNested(atMost: levels - 1) }
        }
    }

    /// The length as JSON in bytes, not counting the escapes in strings.
    var length: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .int(let value): value.description.utf8.count
        case .double(let value): value.description.utf8.count
        case .string(let value): value.utf8.count + 2
        case .array(let values): values.reduce(1) { $0 + $1.length + 1 }
        case .object(let values): values.reduce(1) { $0 + $1.key.utf8.count + 3 + $1.value.length + 1 }
        }
    }

    /// Whether all numbers are finite: JSON has no others.
    var isStorable: Bool {
        switch self {
        case .null, .bool, .int, .string: true
        case .double(let number): number.isFinite
        case .array(let values): values.allSatisfy(\.isStorable)
        case .object(let values): values.values.allSatisfy(\.isStorable)
        }
    }
}

extension JSONValue: Codable {
    /// Linear: a wrong kind fails before its elements are read, so they are decoded once. Each failed attempt builds an
    /// error with the whole coding path. So depth is limited, and frequent kinds come first.
    public init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(String.self) {
            self = .string(value)
        } else if let value = try? single.decode(Int64.self) {
            self = .int(value)
        } else if let members = try? decoder.container(keyedBy: MemberName.self) {
            try Self.checkDepth(decoder)
            var object: [String: JSONValue] = [:]
            for name in members.allKeys { object[name.stringValue] = try members.decode(JSONValue.self, forKey: name) }
            self = .object(object)
        } else if var elements = try? decoder.unkeyedContainer() {
            try Self.checkDepth(decoder)
            var array: [JSONValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
            self = .array(array)
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .double(try single.decode(Double.self))
        }
    }

    private static func checkDepth(_ decoder: any Decoder) throws(NoticeError) {
        guard decoder.codingPath.count >= deepestText else { return }
        throw NoticeError(.invalidContent, "A value is nested deeper than \(deepest) levels.")
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
