/// Walks through values before libdbus sees them: every rule of D-Bus is checked, and the length of the message counted
/// as it will be marshalled. What passes can be written without libdbus objecting.
struct BusMeasure {
    /// Bytes so far, with padding.
    private(set) var length = 0
    private(set) var descriptors = 0
    private let limit: Int

    /// - Parameter limit: The most bytes that values may take.
    init(limit: Int) { self.limit = limit }

    /// Checks the values and returns their signature.
    static func check(_ values: [BusValue], limit: Int) throws(BusError) -> (BusSignature, BusMeasure) {
        guard !values.isEmpty else { return (.empty, BusMeasure(limit: limit)) }
        var types: [BusType] = []
        types.reserveCapacity(values.count)
        for value in values { types.append(try value.type()) }
        let signature = try BusSignature(types)
        var measure = BusMeasure(limit: limit)
        for (value, type) in zip(values, types) { try measure.add(value, as: type, depth: 0) }
        return (signature, measure)
    }

    /// `depth` counts the containers around the value; it ends the recursion.
    private mutating func add(_ value: BusValue, as type: BusType, depth: Int) throws(BusError) {
        guard depth <= BusLimits.nesting else {
            throw BusError(
                .invalidValue,
                "More than \(BusLimits.nesting) containers are in each other: send fewer levels."
            )
        }
        align(to: type.alignment)
        switch (value, type) {
        case (.byte, .byte): length += 1
        case (.int16, .int16), (.uint16, .uint16): length += 2
        case (.boolean, .boolean), (.int32, .int32), (.uint32, .uint32): length += 4
        case (.int64, .int64), (.uint64, .uint64), (.double, .double): length += 8
        case (.string(let text), .string):
            guard !text.utf8.contains(0) else {
                throw BusError(
                    .invalidValue,
                    "The text '\(text.prefix(80))' has a NUL inside, which D-Bus can't carry: remove it."
                )
            }
            length += 4 + text.utf8.count + 1
        case (.objectPath(let path), .objectPath): length += 4 + path.text.utf8.count + 1
        case (.signature(let signature), .signature): length += 1 + signature.text.utf8.count + 1
        case (.fileDescriptor(let descriptor), .fileDescriptor):
            guard descriptor.number >= 0 else {
                throw BusError(.invalidValue, "\(descriptor.number) is no file descriptor: give an open one.")
            }
            descriptors += 1
            length += 4
        case (.variant(let inner), .variant):
            let signature = try BusSignature([inner.type()])
            length += 1 + signature.text.utf8.count + 1
            try add(inner, as: signature.types[0], depth: depth + 1)
        case (.bytes(let bytes), .array(.byte)):
            length += 4 + bytes.count
            try checkArray(bytes.count)
        case (.array(_, let elements), .array(let element)):
            let start = beginArray(of: element.alignment)
            for inner in elements { try add(inner, as: element, depth: depth + 1) }
            try checkArray(length - start)
        case (.dictionary(_, _, let entries), .dictionary(let key, let inner)):
            let start = beginArray(of: 8)
            for entry in entries {
                align(to: 8)
                // The array is one container, each of its entries another.
                try add(entry.key, as: key, depth: depth + 2)
                try add(entry.value, as: inner, depth: depth + 2)
            }
            try checkArray(length - start)
        case (.structure(let fields), .structure(let types)) where fields.count == types.count:
            for (field, fieldType) in zip(fields, types) { try add(field, as: fieldType, depth: depth + 1) }
        default:
            throw BusError(
                .invalidValue,
                "A value of type '\(try value.type().text)' stands where its container has '\(type.text)'."
            )
        }
        // An array's own type is written from its declaration; a value that only looks alike must not pass.
        try checkDeclaration(of: value, as: type)
        try checkTotal()
    }

    private func checkDeclaration(of value: BusValue, as type: BusType) throws(BusError) {
        switch (value, type) {
        case (.array(let declared, _), .array(let element)) where declared != element:
            throw BusError(
                .invalidValue,
                "An array of '\(declared.text)' stands where its container has one of '\(element.text)'."
            )
        case (.dictionary(let key, let inner, _), .dictionary(let wantedKey, let wanted))
        where key != wantedKey || inner != wanted:
            throw BusError(
                .invalidValue,
                "A dictionary of '\(key.text)' to '\(inner.text)' stands where its container has '\(type.text)'."
            )
        default: break
        }
    }

    private mutating func align(to alignment: Int) { length = (length + alignment - 1) & ~(alignment - 1) }

    private mutating func beginArray(of alignment: Int) -> Int {
        length += 4
        align(to: alignment)
        return length
    }

    private func checkArray(_ bytes: Int) throws(BusError) {
        guard bytes <= BusLimits.arrayLength else {
            throw BusError(
                .tooLarge,
                "An array of \(bytes) bytes is longer than D-Bus allows (\(BusLimits.arrayLength)): send a file descriptor."
            )
        }
    }

    private func checkTotal() throws(BusError) {
        guard length <= limit else {
            throw BusError(
                .tooLarge,
                "The message is longer than the \(limit) bytes that this bus is given: send a file descriptor."
            )
        }
    }
}
