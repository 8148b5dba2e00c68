import Glibc

/// Marshals a message (specification, "Marshaling"), in this machine's byte order, and checks every rule for values: a
/// bus disconnects whoever breaks one. The tests compare the bytes with libdbus's.
struct WireWriter {
    private(set) var bytes: [UInt8] = []
    /// The descriptors of the arguments, in order.
    private(set) var descriptors: [Int32] = []
    /// The position of the first argument; a multiple of 8, so that arguments are aligned as if it were 0.
    private var bodyStart = 0
    /// The maximum length of the arguments, in bytes.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        bytes.reserveCapacity(512)
    }

    /// The length of the arguments with padding, in bytes.
    var bodyLength: Int { bytes.count - bodyStart }

    // MARK: Header

    /// Writes a header whose names are checked. ``writeBody(_:_:)`` sets the length of the body later.
    mutating func writeHeader(_ header: WireMessage.Header, _ signature: BusSignature, descriptors: UInt32 = 0) {
        write(UInt8(ascii: Int(littleEndian: 1) == 1 ? "l" : "B"))
        write(UInt8(truncatingIfNeeded: header.kind))
        write(UInt8((header.expectsReply ? 0 : 1) | (header.startsService ? 0 : 2)))
        // The protocol version, the body length, and the serial number, which is replaced when the message is sent.
        write(1 as UInt8)
        write(0 as UInt32)
        write(1 as UInt32)
        let lengthPosition = bytes.count
        write(0 as UInt32)
        let start = bytes.count
        if let destination = header.destination { writeField(6, "s", destination) }
        if let path = header.path { writeField(1, "o", path.text) }
        if let interface = header.interface { writeField(2, "s", interface) }
        if let member = header.member { writeField(3, "s", member) }
        if let name = header.errorName { writeField(4, "s", name) }
        if let serial = header.replySerial {
            writeFieldStart(5, "u")
            write(serial)
        }
        if !signature.text.isEmpty {
            writeFieldStart(8, "g")
            writeShort(signature.text)
        }
        if descriptors > 0 {
            writeFieldStart(9, "u")
            write(descriptors)
        }
        set(UInt32(bytes.count - start), at: lengthPosition)
        align(to: 8)
        bodyStart = bytes.count
    }

    /// Returns this header with the arguments of another message.
    func bytes(followedBy other: WireWriter) -> [UInt8] {
        var whole = self
        whole.bytes += other.bytes[other.bodyStart...]
        whole.set(UInt32(whole.bodyLength), at: 4)
        return whole.bytes
    }

    private mutating func writeField(_ code: UInt8, _ type: Unicode.Scalar, _ text: String) {
        writeFieldStart(code, type)
        writeLong(text)
    }

    /// Writes four bytes, so that the value after them is aligned.
    private mutating func writeFieldStart(_ code: UInt8, _ type: Unicode.Scalar) {
        align(to: 8)
        write(code)
        writeVariantStart(UInt8(ascii: type))
    }

    // MARK: Arguments

    mutating func writeBody(_ values: [BusValue], _ signature: BusSignature) throws(BusError) {
        for (value, type) in zip(values, signature.types) { try append(value, as: type, depth: 0) }
        set(UInt32(bodyLength), at: 4)
    }

    /// Appends a value. `depth` counts the containers around it; its limit bounds the recursion.
    private mutating func append(_ value: BusValue, as type: BusType, depth: Int) throws(BusError) {
        guard depth <= BusLimits.nesting else {
            throw BusError(
                .invalidValue,
                "More than \(BusLimits.nesting) containers are in each other: send fewer levels."
            )
        }
        align(to: type.alignment)
        switch (value, type) {
        case (.byte(let number), .byte): write(number)
        case (.boolean(let flag), .boolean): write(UInt32(flag ? 1 : 0))
        case (.int16(let number), .int16): write(number)
        case (.uint16(let number), .uint16): write(number)
        case (.int32(let number), .int32): write(number)
        case (.uint32(let number), .uint32): write(number)
        case (.int64(let number), .int64): write(number)
        case (.uint64(let number), .uint64): write(number)
        case (.double(let number), .double): write(number.bitPattern)
        case (.string(let text), .string): try appendText(text)
        case (.objectPath(let path), .objectPath): try appendText(path.text)
        case (.signature(let signature), .signature): writeShort(signature.text)
        case (.fileDescriptor(let descriptor), .fileDescriptor):
            guard descriptor.number >= 0 else {
                throw BusError(.invalidValue, "\(descriptor.number) is no file descriptor: give an open one.")
            }
            write(UInt32(descriptors.count))
            descriptors.append(descriptor.number)
        case (.variant(let inner), .variant):
            let innerType = try inner.type()
            if innerType.isBasic {
                writeVariantStart(innerType.character)
            } else {
                writeShort(try BusSignature([innerType]).text)
            }
            try append(inner, as: innerType, depth: depth + 1)
        case (.bytes(let block), .array(.byte)):
            try checkArray(block.count)
            try checkRoom(block.count)
            write(UInt32(block.count))
            bytes.append(contentsOf: block)
        case (.array(let declared, let elements), .array(let element)):
            // The declared type must equal the expected one: the elements of an empty array can't reveal a mismatch.
            guard declared == element else { throw mismatch(value, type) }
            try appendArray(of: element.alignment) { writer throws(BusError) in
                for inner in elements { try writer.append(inner, as: element, depth: depth + 1) }
            }
        case (.dictionary(let declaredKey, let declared, let entries), .dictionary(let key, let inner)):
            guard declaredKey == key, declared == inner else { throw mismatch(value, type) }
            try appendArray(of: 8) { writer throws(BusError) in
                for entry in entries {
                    writer.align(to: 8)
                    // The array is one container, and each of its entries another.
                    try writer.append(entry.key, as: key, depth: depth + 2)
                    try writer.append(entry.value, as: inner, depth: depth + 2)
                }
            }
        case (.structure(let fields), .structure(let types)) where fields.count == types.count:
            for (field, fieldType) in zip(fields, types) { try append(field, as: fieldType, depth: depth + 1) }
        default: throw mismatch(value, type)
        }
        try checkRoom(0)
    }

    private mutating func appendText(_ text: String) throws(BusError) {
        try checkRoom(text.utf8.count)
        let start = writeLong(text)
        let hasNUL = bytes.withUnsafeBytes { memchr($0.baseAddress! + start, 0, $0.count - 1 - start) != nil }
        guard !hasNUL else {
            throw BusError(
                .invalidValue,
                "The text '\(text.prefix(80))' has a NUL inside, which D-Bus can't carry: remove it."
            )
        }
    }

    private mutating func appendArray(
        of alignment: Int,
        _ write: (inout WireWriter) throws(BusError) -> Void
    ) throws(BusError) {
        let lengthPosition = bytes.count
        self.write(0 as UInt32)
        align(to: alignment)
        let start = bytes.count
        try write(&self)
        let length = bytes.count - start
        try checkArray(length)
        set(UInt32(length), at: lengthPosition)
    }

    // MARK: Bytes

    private mutating func write(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a number whose position is aligned already.
    private mutating func write<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }

    private mutating func writeVariantStart(_ type: UInt8) {
        write(1 as UInt8)
        write(type)
        write(0 as UInt8)
    }

    /// Writes a signature, of at most 255 bytes.
    private mutating func writeShort(_ text: String) {
        write(UInt8(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
        write(0 as UInt8)
    }

    /// Writes a text and returns its position.
    @discardableResult
    private mutating func writeLong(_ text: String) -> Int {
        write(UInt32(truncatingIfNeeded: text.utf8.count))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        write(0 as UInt8)
        return start
    }

    private mutating func align(to alignment: Int) {
        while bytes.count & (alignment - 1) != 0 { bytes.append(0) }
    }

    private mutating func set(_ number: UInt32, at position: Int) {
        withUnsafeBytes(of: number) { bytes.replaceSubrange(position..<position + 4, with: $0) }
    }

    // MARK: Limits

    private func checkArray(_ length: Int) throws(BusError) {
        guard length <= BusLimits.arrayLength else {
            throw BusError(
                .tooLarge,
                "An array of \(length) bytes is longer than D-Bus allows (\(BusLimits.arrayLength)): send a file "
                    + "descriptor."
            )
        }
    }

    private func checkRoom(_ more: Int) throws(BusError) {
        guard bodyLength + more <= limit else {
            throw BusError(
                .tooLarge,
                "The message is longer than the \(limit) bytes that this bus is given: send a file descriptor."
            )
        }
    }

    private func mismatch(_ value: BusValue, _ type: BusType) -> BusError {
        let found = (try? value.type().text) ?? "?"
        return BusError(.invalidValue, "A value of type '\(found)' stands where its container has '\(type.text)'.")
    }
}
