extension BusValue {
    /// The value inside variants, however many there are around it.
    public var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The text of a string; nil for anything else. Variants are looked into, here and below.
    public var string: String? {
        if case .string(let text) = unwrapped { text } else { nil }
    }

    /// The truth value; nil for anything else.
    public var boolean: Bool? {
        if case .boolean(let flag) = unwrapped { flag } else { nil }
    }

    /// Any of the integer types that fits.
    public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
        switch unwrapped {
        case .byte(let number): Integer(exactly: number)
        case .int16(let number): Integer(exactly: number)
        case .uint16(let number): Integer(exactly: number)
        case .int32(let number): Integer(exactly: number)
        case .uint32(let number): Integer(exactly: number)
        case .int64(let number): Integer(exactly: number)
        case .uint64(let number): Integer(exactly: number)
        default: nil
        }
    }

    /// The number of the type `d`; nil for anything else.
    public var double: Double? {
        if case .double(let number) = unwrapped { number } else { nil }
    }

    /// The path of the type `o`; nil for anything else.
    public var objectPath: BusObjectPath? {
        if case .objectPath(let path) = unwrapped { path } else { nil }
    }

    /// The bytes of an array of them; nil for anything else.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = unwrapped { bytes } else { nil }
    }

    /// The descriptor; nil for anything else.
    public var fileDescriptor: BusFileDescriptor? {
        if case .fileDescriptor(let descriptor) = unwrapped { descriptor } else { nil }
    }

    /// The elements of an array, the fields of a structure.
    public var elements: [BusValue]? {
        switch unwrapped {
        case .array(_, let elements): elements
        case .structure(let fields): fields
        case .bytes(let bytes): bytes.map(BusValue.byte)
        default: nil
        }
    }

    /// The texts of an array of strings; nil where an element is something else.
    public var strings: [String]? {
        guard case .array(.string, let elements) = unwrapped else { return nil }
        return elements.compactMap(\.string)
    }

    /// The value of a text key in a dictionary, without variants around it; of a repeated key the last.
    public subscript(_ key: String) -> BusValue? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        return entries.last { $0.key == .string(key) }?.value.unwrapped
    }
}
