internal import CDBus

/// Writes checked values into a message by libdbus's iterator. What ``WireWriter`` has let through can only fail for want of
/// memory.
enum WireEncoder {
    static let outOfMemory = BusError(.outOfMemory, "libdbus could not get memory for a message: try again later.")

    static func append(
        _ value: BusValue,
        as type: BusType,
        to iterator: inout DBusMessageIter
    ) throws(BusError) {
        switch value {
        case .byte(let number): try appendBasic(number, type, &iterator)
        case .boolean(let flag): try appendBasic(dbus_bool_t(flag ? 1 : 0), type, &iterator)
        case .int16(let number): try appendBasic(number, type, &iterator)
        case .uint16(let number): try appendBasic(number, type, &iterator)
        case .int32(let number): try appendBasic(number, type, &iterator)
        case .uint32(let number): try appendBasic(number, type, &iterator)
        case .int64(let number): try appendBasic(number, type, &iterator)
        case .uint64(let number): try appendBasic(number, type, &iterator)
        case .double(let number): try appendBasic(number, type, &iterator)
        case .string(let text): try appendText(text, type, &iterator)
        case .objectPath(let path): try appendText(path.text, type, &iterator)
        case .signature(let signature): try appendText(signature.text, type, &iterator)
        // libdbus duplicates it.
        case .fileDescriptor(let descriptor): try appendBasic(descriptor.number, type, &iterator)
        case .variant(let inner):
            let innerType = try inner.type()
            try inContainer(BELFRY_DBUS_VARIANT, innerType.text, of: &iterator) { contents throws(BusError) in
                try append(inner, as: innerType, to: &contents)
            }
        case .bytes(let bytes):
            try inContainer(BELFRY_DBUS_ARRAY, "y", of: &iterator) { contents throws(BusError) in
                try appendBlock(bytes, &contents)
            }
        case .array(let element, let elements):
            try inContainer(BELFRY_DBUS_ARRAY, element.text, of: &iterator) { contents throws(BusError) in
                for inner in elements { try append(inner, as: element, to: &contents) }
            }
        case .dictionary(let key, let inner, let entries):
            try inContainer(BELFRY_DBUS_ARRAY, "{\(key.text)\(inner.text)}", of: &iterator) {
                contents throws(BusError) in
                for entry in entries {
                    try inContainer(BELFRY_DBUS_DICT_ENTRY, nil, of: &contents) { pair throws(BusError) in
                        try append(entry.key, as: key, to: &pair)
                        try append(entry.value, as: inner, to: &pair)
                    }
                }
            }
        case .structure(let fields):
            guard case .structure(let types) = type else { return }
            try inContainer(BELFRY_DBUS_STRUCT, nil, of: &iterator) { contents throws(BusError) in
                for (field, fieldType) in zip(fields, types) { try append(field, as: fieldType, to: &contents) }
            }
        }
    }

    private static func appendBasic<Number: BitwiseCopyable>(
        _ number: Number,
        _ type: BusType,
        _ iterator: inout DBusMessageIter
    ) throws(BusError) {
        var number = number
        guard dbus_message_iter_append_basic(&iterator, type.code, &number) != 0 else { throw outOfMemory }
    }

    private static func appendText(
        _ text: String,
        _ type: BusType,
        _ iterator: inout DBusMessageIter
    ) throws(BusError) {
        let isWritten = text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            return dbus_message_iter_append_basic(&iterator, type.code, &start) != 0
        }
        guard isWritten else { throw outOfMemory }
    }

    private static func appendBlock(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) throws(BusError) {
        guard !bytes.isEmpty else { return }
        let isWritten = bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return dbus_message_iter_append_fixed_array(
                &iterator,
                Int32(BELFRY_DBUS_BYTE),
                &start,
                Int32(buffer.count)
            ) != 0
        }
        guard isWritten else { throw outOfMemory }
    }

    /// Opening and closing stand here, so that a container is never left open: libdbus would end the process for that.
    private static func inContainer(
        _ kind: Int,
        _ signature: String?,
        of iterator: inout DBusMessageIter,
        write: (inout DBusMessageIter) throws(BusError) -> Void
    ) throws(BusError) {
        var contents = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, Int32(kind), signature, &contents) != 0 else {
            throw outOfMemory
        }
        do throws(BusError) {
            try write(&contents)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &contents)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &contents) != 0 else { throw outOfMemory }
    }
}
