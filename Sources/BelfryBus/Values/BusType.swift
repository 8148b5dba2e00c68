/// The type of a value on the bus (D-Bus specification, "Type system").
public indirect enum BusType: Sendable, Hashable {
    case byte
    case boolean
    case int16
    case uint16
    case int32
    case uint32
    case int64
    case uint64
    case double
    case string
    case objectPath
    case signature
    case fileDescriptor
    case variant
    case array(of: BusType)
    /// An array of dictionary entries; the key's type must be basic.
    case dictionary(key: BusType, value: BusType)
    /// At least one field.
    case structure([BusType])

    /// True for the types that hold no others: what a dictionary's key may be.
    public var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// The type's text in a signature. Only ``BusSignature`` promises that it is valid.
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

    /// The first character of ``text``; a structure's and a dictionary's are those of the opened container.
    var code: Int32 {
        switch self {
        case .byte: Int32(UInt8(ascii: "y"))
        case .boolean: Int32(UInt8(ascii: "b"))
        case .int16: Int32(UInt8(ascii: "n"))
        case .uint16: Int32(UInt8(ascii: "q"))
        case .int32: Int32(UInt8(ascii: "i"))
        case .uint32: Int32(UInt8(ascii: "u"))
        case .int64: Int32(UInt8(ascii: "x"))
        case .uint64: Int32(UInt8(ascii: "t"))
        case .double: Int32(UInt8(ascii: "d"))
        case .string: Int32(UInt8(ascii: "s"))
        case .objectPath: Int32(UInt8(ascii: "o"))
        case .signature: Int32(UInt8(ascii: "g"))
        case .fileDescriptor: Int32(UInt8(ascii: "h"))
        case .variant: Int32(UInt8(ascii: "v"))
        case .array, .dictionary: Int32(UInt8(ascii: "a"))
        case .structure: Int32(UInt8(ascii: "("))
        }
    }

    /// The basic type of a character, or nil.
    static func basic(_ character: UInt8) -> BusType? {
        switch character {
        case UInt8(ascii: "y"): .byte
        case UInt8(ascii: "b"): .boolean
        case UInt8(ascii: "n"): .int16
        case UInt8(ascii: "q"): .uint16
        case UInt8(ascii: "i"): .int32
        case UInt8(ascii: "u"): .uint32
        case UInt8(ascii: "x"): .int64
        case UInt8(ascii: "t"): .uint64
        case UInt8(ascii: "d"): .double
        case UInt8(ascii: "s"): .string
        case UInt8(ascii: "o"): .objectPath
        case UInt8(ascii: "g"): .signature
        case UInt8(ascii: "h"): .fileDescriptor
        default: nil
        }
    }

    /// Where a value of this type begins in a message: at a multiple of this many bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .fileDescriptor, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }
}
