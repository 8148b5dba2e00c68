import CDBus

/// Decodes the arguments of received messages, which libdbus has validated: types, UTF-8, depth and lengths.
///
/// Signatures repeat, so their types are cached, up to a bound.
struct WireDecoder {
    private var known: [String: BusSignature] = [:]
    private static let mostKnown = 256

    /// Decodes the arguments. Throws ``BusError/Code/invalidSignature`` only if libdbus and Belfry disagree on them.
    mutating func arguments(of message: OpaquePointer) throws(BusError) -> [BusValue] {
        let signature = try signature(String(cString: dbus_message_get_signature(message)))
        guard !signature.types.isEmpty else { return [] }
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        var values: [BusValue] = []
        values.reserveCapacity(signature.types.count)
        for type in signature.types {
            values.append(try value(&iterator, type))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func signature(_ text: String) throws(BusError) -> BusSignature {
        if let signature = known[text] { return signature }
        let signature = try BusSignature(text)
        if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
        known[text] = signature
        return signature
    }

    private mutating func value(_ iterator: inout DBusMessageIter, _ type: BusType) throws(BusError) -> BusValue {
        switch type {
        case .byte: return .byte(basic(&iterator, 0))
        case .boolean: return .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
        case .int16: return .int16(basic(&iterator, 0))
        case .uint16: return .uint16(basic(&iterator, 0))
        case .int32: return .int32(basic(&iterator, 0))
        case .uint32: return .uint32(basic(&iterator, 0))
        case .int64: return .int64(basic(&iterator, 0))
        case .uint64: return .uint64(basic(&iterator, 0))
        case .double: return .double(basic(&iterator, 0))
        case .string: return .string(text(&iterator))
        case .objectPath: return .objectPath(BusObjectPath(verified: text(&iterator)))
        case .signature: return .signature(try signature(text(&iterator)))
        // libdbus has duplicated the descriptor for us.
        case .fileDescriptor: return .fileDescriptor(BusFileDescriptor(owning: basic(&iterator, -1)))
        case .variant:
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            return .variant(try value(&inner, try contentType(&inner)))
        case .array(.byte): return .bytes(block(&iterator))
        case .array(let element):
            var elements: [BusValue] = []
            try each(in: &iterator) { decoder, inner throws(BusError) in
                elements.append(try decoder.value(&inner, element))
            }
            return .array(of: element, elements)
        case .dictionary(let key, let content):
            var entries: [BusEntry] = []
            try each(in: &iterator) { decoder, inner throws(BusError) in
                var pair = DBusMessageIter()
                dbus_message_iter_recurse(&inner, &pair)
                let keyValue = try decoder.value(&pair, key)
                dbus_message_iter_next(&pair)
                entries.append(BusEntry(keyValue, try decoder.value(&pair, content)))
            }
            return .dictionary(key: key, value: content, entries)
        case .structure(let types):
            var fields: [BusValue] = []
            fields.reserveCapacity(types.count)
            try each(in: &iterator) { decoder, inner throws(BusError) in
                fields.append(try decoder.value(&inner, types[fields.count]))
            }
            return .structure(fields)
        }
    }

    private mutating func each(
        in container: inout DBusMessageIter,
        _ body: (inout WireDecoder, inout DBusMessageIter) throws(BusError) -> Void
    ) throws(BusError) {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&container, &inner)
        while dbus_message_iter_get_arg_type(&inner) != Int32(BELFRY_DBUS_INVALID) {
            try body(&self, &inner)
            dbus_message_iter_next(&inner)
        }
    }

    /// Returns the type of a variant's contents. Most are basic types, which need no signature from libdbus.
    private mutating func contentType(_ iterator: inout DBusMessageIter) throws(BusError) -> BusType {
        let code = dbus_message_iter_get_arg_type(&iterator)
        if let basic = UInt8(exactly: code).flatMap(BusType.basic) { return basic }
        guard let text = dbus_message_iter_get_signature(&iterator) else { throw WireMessage.outOfMemory }
        defer { dbus_free(text) }
        let signature = try signature(String(cString: text))
        guard let type = signature.types.first else {
            throw BusError(.invalidSignature, "A variant without a value has arrived.")
        }
        return type
    }

    private func basic<Number: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ empty: Number) -> Number {
        var number = empty
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    private func text(_ iterator: inout DBusMessageIter) -> String {
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &start)
        return start.map { String(cString: $0) } ?? ""
    }

    private func block(_ iterator: inout DBusMessageIter) -> [UInt8] {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        // libdbus returns no pointer for an empty array.
        guard dbus_message_iter_get_arg_type(&inner) == Int32(BELFRY_DBUS_BYTE) else { return [] }
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner, &start, &count)
        guard let start, count > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
