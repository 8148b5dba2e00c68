/// A valid signature: zero or more complete types, at most 255 bytes, at most 32 arrays and 32 structures inside each other.
public struct BusSignature: Sendable, Hashable, CustomStringConvertible {
    public let types: [BusType]
    public let text: String

    /// Throws ``BusError/Code/invalidSignature``.
    public init(_ text: String) throws(BusError) {
        var reader = SignatureReader(text)
        types = try reader.readAll()
        self.text = text
    }

    /// Throws ``BusError/Code/invalidSignature`` for a structure without fields, a key that isn't basic, and what is too
    /// deep or too long.
    public init(_ types: [BusType]) throws(BusError) {
        try self.init(types.map(\.text).joined())
    }

    /// The signature of values in a row. Throws ``BusError/Code/invalidSignature``.
    init(of values: [BusValue]) throws(BusError) {
        guard !values.isEmpty else {
            self = .empty
            return
        }
        var types: [BusType] = []
        types.reserveCapacity(values.count)
        for value in values { types.append(try value.type()) }
        try self.init(types)
    }

    /// No types at all.
    public static let empty = BusSignature(verified: [], text: "")

    init(verified types: [BusType], text: String) {
        self.types = types
        self.text = text
    }

    public var description: String { text }

    /// The limits of the specification, "Valid signatures".
    static let maximumLength = 255
    static let maximumNesting = 32
}

extension BusSignature: ExpressibleByStringLiteral {
    /// A literal is the programmer's own: an invalid one traps.
    public init(stringLiteral value: String) {
        do throws(BusError) { try self.init(value) } catch { preconditionFailure("\(error)") }
    }
}

private struct SignatureReader {
    private let text: String
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8.prefix(BusSignature.maximumLength + 1))
    }

    mutating func readAll() throws(BusError) -> [BusType] {
        guard bytes.count <= BusSignature.maximumLength else { throw failure("is longer than 255 bytes") }
        var types: [BusType] = []
        while position < bytes.count { types.append(try readType(arrays: 0, structures: 0)) }
        return types
    }

    /// Recursion ends at 64: each level is an array or a structure.
    private mutating func readType(arrays: Int, structures: Int) throws(BusError) -> BusType {
        guard position < bytes.count else { throw failure("ends where a type is missing") }
        let character = bytes[position]
        position += 1
        if let basic = BusType.basic(character) { return basic }
        switch character {
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"):
            guard arrays < BusSignature.maximumNesting else { throw failure("has more than 32 arrays in each other") }
            if position < bytes.count, bytes[position] == UInt8(ascii: "{") {
                position += 1
                return try readEntry(arrays: arrays + 1, structures: structures)
            }
            return .array(of: try readType(arrays: arrays + 1, structures: structures))
        case UInt8(ascii: "("):
            guard structures < BusSignature.maximumNesting else {
                throw failure("has more than 32 structures in each other")
            }
            var fields: [BusType] = []
            while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
                fields.append(try readType(arrays: arrays, structures: structures + 1))
            }
            guard position < bytes.count else { throw failure("has an open structure at its end") }
            position += 1
            guard !fields.isEmpty else { throw failure("has a structure without fields") }
            return .structure(fields)
        default:
            position -= 1
            throw failure("has something that is no type at byte \(position)")
        }
    }

    private mutating func readEntry(arrays: Int, structures: Int) throws(BusError) -> BusType {
        guard position < bytes.count, let key = BusType.basic(bytes[position]) else {
            throw failure("has a dictionary whose key is not of a basic type, at byte \(position)")
        }
        position += 1
        let value = try readType(arrays: arrays, structures: structures)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "}") else {
            throw failure("has a dictionary entry that is not a key and one value, at byte \(position)")
        }
        position += 1
        return .dictionary(key: key, value: value)
    }

    private func failure(_ what: String) -> BusError {
        BusError(.invalidSignature, "The signature '\(text.prefix(BusSignature.maximumLength))' \(what).")
    }
}
