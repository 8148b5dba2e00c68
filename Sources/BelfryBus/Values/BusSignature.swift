import CDBus

/// A valid signature: complete types, at most 255 bytes, at most 32 nested arrays and 32 nested structures.
///
/// ```swift
/// let hints: BusSignature = "a{sv}"
/// print(hints.types == [.dictionary(key: .string, value: .variant)])   // true
/// ```
public struct BusSignature: Sendable, Hashable, CustomStringConvertible {
    /// The types, in order.
    public let types: [BusType]
    /// The text of the signature.
    public let text: String

    /// Parses a signature. Throws ``BusError/Code/invalidSignature`` (permanent).
    public init(_ text: String) throws(BusError) {
        try Self.check(text)
        var reader = SignatureReader(text)
        types = reader.readAll()
        self.text = text
    }

    private static func check(_ text: String) throws(BusError) {
        guard BusNameRules.isValid(text, dbus_signature_validate) else {
            throw BusError(
                .invalidSignature,
                "'\(text.prefix(255))' is not a signature: complete types, at most 255 bytes, at most 32 arrays and 32 "
                    + "structures in each other, and keys of a basic type. Put a variant between, or send fewer at "
                    + "once."
            )
        }
    }

    /// Creates a signature of types.
    ///
    /// - Throws: ``BusError/Code/invalidSignature`` (permanent) for a structure without fields, a key that isn't basic,
    ///   and types that are too deep or too long.
    public init(_ types: [BusType]) throws(BusError) {
        let text = types.reduce(into: "") { $0 += $1.text }
        if !types.allSatisfy(\.isFlat) || text.utf8.count > Self.maximumLength { try Self.check(text) }
        self.types = types
        self.text = text
    }

    /// Creates the signature of a list of values. Throws ``BusError/Code/invalidSignature``.
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

    /// The signature without types.
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
    /// Creates a signature from a literal. Traps if it is invalid: that is a programming error.
    public init(stringLiteral value: String) {
        do throws(BusError) { try self.init(value) } catch { preconditionFailure("\(error)") }
    }
}

/// Parses a signature that is known to be valid.
private struct SignatureReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func readAll(until end: UInt8? = nil) -> [BusType] {
        var types: [BusType] = []
        while let character = rest.popFirst(), character != end { types.append(readType(character)) }
        return types
    }

    private mutating func readType(_ character: UInt8) -> BusType {
        switch character {
        case UInt8(ascii: "a") where rest.first == UInt8(ascii: "{"):
            rest.removeFirst()
            let entry = readAll(until: UInt8(ascii: "}"))
            return .dictionary(key: entry[0], value: entry[1])
        case UInt8(ascii: "a"): return .array(of: readType(rest.removeFirst()))
        case UInt8(ascii: "("): return .structure(readAll(until: UInt8(ascii: ")")))
        default: return BusType.basic(character) ?? .variant
        }
    }
}
