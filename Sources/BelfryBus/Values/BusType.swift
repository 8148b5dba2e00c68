/// The type of a value on the bus (D-Bus specification, "Type system").
///
/// ```swift
/// let type = try BusValue.strings(["green", "black"]).type()
/// print(type == .array(of: .string), type.text)   // true as
/// ```
public indirect enum BusType: Sendable, Hashable {
    /// `y`.
    case byte
    /// `b`.
    case boolean
    /// `n`.
    case int16
    /// `q`.
    case uint16
    /// `i`.
    case int32
    /// `u`.
    case uint32
    /// `x`.
    case int64
    /// `t`.
    case uint64
    /// `d`.
    case double
    /// `s`.
    case string
    /// `o`.
    case objectPath
    /// `g`.
    case signature
    /// `h`.
    case fileDescriptor
    /// `v`.
    case variant
    /// `a`, an array of elements of one type.
    case array(of: BusType)
    /// An array of dictionary entries; the key's type must be basic.
    case dictionary(key: BusType, value: BusType)
    /// A structure with at least one field.
    case structure([BusType])

    /// Whether the type contains no others, as required of dictionary keys.
    public var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// Whether the type is valid in any context: it nests nothing, and its key is basic.
    var isFlat: Bool {
        switch self {
        case .array(let element): element.isBasic || element == .variant
        case .dictionary(let key, let value): key.isBasic && (value.isBasic || value == .variant)
        case .structure: false
        default: true
        }
    }

    /// The type's text in a signature. Only ``BusSignature`` guarantees that it is valid.
    public var text: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .variant: "v"
        case .array(let element): "a" + element.text
        case .dictionary(let key, let value): "a{" + key.text + value.text + "}"
        case .structure(let fields): "(" + fields.map(\.text).joined() + ")"
        }
    }

    /// The first character of ``text``.
    var character: UInt8 { text.utf8.first ?? 0 }

    /// Returns the basic type of a character; nil if there is none.
    static func basic(_ character: UInt8) -> BusType? { basicTypes.first { $0.character == character } }

    /// In an array: a dictionary's first use with another type of keys takes 60 µs of a program's start.
    private static let basicTypes: [BusType] = [
        .string, .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .objectPath, .signature,
        .fileDescriptor,
    ]

    /// The alignment of a value of this type in a message, in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .fileDescriptor, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }
}
