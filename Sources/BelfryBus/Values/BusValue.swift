/// A value of any D-Bus type.
///
/// Containers that may be empty carry the type of their elements, so that an empty one keeps its type.
///
/// ```swift
/// let hints = BusValue.options(["urgency": .byte(2), "category": .string("im.received")])
/// print(hints["category"]?.string ?? "")   // im.received
/// ```
public indirect enum BusValue: Sendable, Hashable {
    /// The type `y`.
    case byte(UInt8)
    /// The type `b`.
    case boolean(Bool)
    /// The type `n`.
    case int16(Int16)
    /// The type `q`.
    case uint16(UInt16)
    /// The type `i`.
    case int32(Int32)
    /// The type `u`.
    case uint32(UInt32)
    /// The type `x`.
    case int64(Int64)
    /// The type `t`.
    case uint64(UInt64)
    /// The type `d`.
    case double(Double)
    /// The type `s`. Always valid UTF-8; sending refuses a NUL inside.
    case string(String)
    /// The type `o`.
    case objectPath(BusObjectPath)
    /// The type `g`.
    case signature(BusSignature)
    /// The type `h`.
    case fileDescriptor(BusFileDescriptor)
    /// The type `v`.
    case variant(BusValue)
    /// The type `ay`, as one block of memory; a received array of bytes is always this.
    case bytes([UInt8])
    /// An array whose elements have the given type. An array of bytes is sent like ``bytes(_:)``, and received as that.
    case array(of: BusType, [BusValue])
    /// A dictionary in message order. Duplicate keys are sent and received: D-Bus leaves their meaning open.
    case dictionary(key: BusType, value: BusType, [BusEntry])
    /// A structure with at least one field.
    case structure([BusValue])
}

/// One entry of a dictionary.
///
/// ```swift
/// let minutes = [BusEntry(.string("green"), .uint32(2)), BusEntry(.string("black"), .uint32(4))]
/// let argument = BusValue.dictionary(key: .string, value: .uint32, minutes)
/// ```
public struct BusEntry: Sendable, Hashable {
    /// The key, of a basic type.
    public var key: BusValue
    /// The value.
    public var value: BusValue

    /// Creates an entry of a dictionary.
    public init(_ key: BusValue, _ value: BusValue) {
        self.key = key
        self.value = value
    }
}

extension BusValue {
    /// Returns a value of the type `as`.
    public static func strings(_ strings: [String]) -> BusValue {
        .array(of: .string, strings.map(BusValue.string))
    }

    /// Returns a value of the type `a{sv}` from unwrapped values. Sorted by key: the same values make the same message.
    public static func options(_ options: [String: BusValue]) -> BusValue {
        .dictionary(
            key: .string,
            value: .variant,
            options.sorted { $0.key < $1.key }.map { BusEntry(.string($0.key), .variant($0.value)) }
        )
    }

    /// Returns the value's type.
    ///
    /// - Throws: ``BusError/Code/invalidSignature`` (permanent) for structures that are empty or nested too deeply.
    public func type() throws(BusError) -> BusType { try type(depth: 0) }

    private func type(depth: Int) throws(BusError) -> BusType {
        guard depth <= BusSignature.maximumNesting else {
            throw BusError(
                .invalidSignature,
                "More than 32 structures are in each other: put a variant between."
            )
        }
        switch self {
        case .byte: return .byte
        case .boolean: return .boolean
        case .int16: return .int16
        case .uint16: return .uint16
        case .int32: return .int32
        case .uint32: return .uint32
        case .int64: return .int64
        case .uint64: return .uint64
        case .double: return .double
        case .string: return .string
        case .objectPath: return .objectPath
        case .signature: return .signature
        case .fileDescriptor: return .fileDescriptor
        case .variant: return .variant
        case .bytes: return .array(of: .byte)
        case .array(let element, _): return .array(of: element)
        case .dictionary(let key, let value, _): return .dictionary(key: key, value: value)
        case .structure(let fields):
            guard !fields.isEmpty else {
                throw BusError(.invalidSignature, "A structure has no fields: D-Bus has no empty structures.")
            }
            var types: [BusType] = []
            for field in fields { types.append(try field.type(depth: depth + 1)) }
            return .structure(types)
        }
    }
}
