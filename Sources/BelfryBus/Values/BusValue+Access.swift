extension BusValue {
    /// The value without any variants around it.
    public var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The text of a string; nil for anything else. This and all accessors below look inside variants.
    public var string: String? {
        if case .string(let text) = unwrapped { text } else { nil }
    }

    /// The value of a boolean; nil for anything else.
    public var boolean: Bool? {
        if case .boolean(let flag) = unwrapped { flag } else { nil }
    }

    /// Returns the value of any integer type; nil if it doesn't fit, and for anything else.
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

    /// The bytes of a byte array; nil for anything else.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = unwrapped { bytes } else { nil }
    }

    /// The descriptor; nil for anything else.
    public var fileDescriptor: BusFileDescriptor? {
        if case .fileDescriptor(let descriptor) = unwrapped { descriptor } else { nil }
    }

    /// The elements of an array or the fields of a structure; nil for anything else.
    public var elements: [BusValue]? {
        switch unwrapped {
        case .array(_, let elements): elements
        case .structure(let fields): fields
        case .bytes(let bytes): bytes.map(BusValue.byte)
        default: nil
        }
    }

    /// The texts of an array of strings; nil for anything else.
    public var strings: [String]? {
        guard case .array(.string, let elements) = unwrapped else { return nil }
        return elements.compactMap(\.string)
    }

    /// Returns the value of a text key in a dictionary, without variants around it; the last one of a repeated key.
    public subscript(_ key: String) -> BusValue? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        return entries.last { $0.key == .string(key) }?.value.unwrapped
    }
}
