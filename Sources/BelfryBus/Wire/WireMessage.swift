import CDBus

/// A libdbus message that is written here and sent once.
///
/// `@unchecked Sendable`: only the thread that creates it writes it, afterwards it is only read. libdbus counts
/// references atomically.
final class WireMessage: @unchecked Sendable {
    let handle: OpaquePointer
    /// Bytes, without the header field that counts descriptors.
    let length: Int
    let carriesDescriptors: Bool

    /// Takes ownership of the reference.
    private init(_ handle: OpaquePointer, length: Int, carriesDescriptors: Bool) {
        self.handle = handle
        self.length = length
        self.carriesDescriptors = carriesDescriptors
    }

    deinit { dbus_message_unref(handle) }

    /// The header fields; ``make(_:_:limit:)`` validates their names.
    struct Header {
        var kind: Int32
        var destination: String?
        var path: BusObjectPath?
        var interface: String?
        var member: String?
        var errorName: String?
        var replySerial: UInt32?
        var expectsReply = true
        var startsService = false
    }

    /// Validates a message, then writes it. Throws ``BusError/Code/invalidName``, ``BusError/Code/invalidValue``,
    /// ``BusError/Code/invalidSignature``, ``BusError/Code/tooLarge`` and ``BusError/Code/outOfMemory``.
    static func make(_ header: Header, _ arguments: [BusValue], limit: Int) throws(BusError) -> WireMessage {
        try check(header)
        // Fixed fields, names of at most 255 bytes, and a signature; the path's length is added.
        let headerLength = 1536 + (header.path?.text.utf8.count ?? 0)
        let signature = try BusSignature(of: arguments)
        var writer = WireWriter(limit: min(limit, BusLimits.messageLength) - headerLength)
        writer.writeHeader(header, signature)
        try writer.writeBody(arguments, signature)
        guard writer.descriptors.count <= BusLimits.fileDescriptors else {
            throw BusError(
                .tooLarge,
                "\(writer.descriptors.count) file descriptors are more than a message takes: send \(BusLimits.fileDescriptors) at "
                    + "most."
            )
        }
        let message = try read(writer.bytes)
        guard !writer.descriptors.isEmpty else {
            return WireMessage(message, length: writer.bytes.count, carriesDescriptors: false)
        }
        defer { dbus_message_unref(message) }
        let withDescriptors = try rewritten(message, header, writer.descriptors)
        return WireMessage(withDescriptors, length: writer.bytes.count, carriesDescriptors: true)
    }

    static let outOfMemory = BusError(.outOfMemory, "libdbus could not get memory for a message: try again later.")

    /// Parses and validates the bytes of a message. The caller owns the returned reference.
    private static func read(_ bytes: [UInt8]) throws(BusError) -> OpaquePointer {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let read = bytes.withUnsafeBytes {
            dbus_message_demarshal($0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), &error)
        }
        guard let read else {
            let name = error.name.map { String(cString: $0) }
            guard name != "org.freedesktop.DBus.Error.NoMemory" else { throw outOfMemory }
            let cause = error.message.map { String(cString: $0) }
            throw BusError(.invalidValue, "libdbus does not take the message: report this.", cause: cause, name: name)
        }
        defer { dbus_message_unref(read) }
        // The copy has no serial number, so that libdbus assigns one when it sends the message.
        guard let message = dbus_message_copy(read) else { throw outOfMemory }
        return message
    }

    /// Returns the same message with descriptors, its arguments written by libdbus. The caller owns the reference.
    private static func rewritten(
        _ message: OpaquePointer,
        _ header: Header,
        _ descriptors: [Int32]
    ) throws(BusError) -> OpaquePointer {
        var writer = WireWriter(limit: 0)
        writer.writeHeader(header, .empty)
        let copy = try read(writer.bytes)
        do throws(BusError) {
            var copying = WireCopy(descriptors: descriptors[...])
            try copying.arguments(of: message, to: copy)
            return copy
        } catch {
            dbus_message_unref(copy)
            throw error
        }
    }

    private static func check(_ header: Header) throws(BusError) {
        if let destination = header.destination { try BusNameRules.checkBusName(destination) }
        if let interface = header.interface { try BusNameRules.checkInterface(interface) }
        if let member = header.member { try BusNameRules.checkMember(member) }
        if let name = header.errorName { try BusNameRules.checkInterface(name) }
        // libdbus refuses to send messages that claim to come from itself.
        guard header.interface != "org.freedesktop.DBus.Local", header.path?.text != "/org/freedesktop/DBus/Local"
        else {
            throw BusError(.invalidName, "org.freedesktop.DBus.Local is for libdbus's own use: take another name.")
        }
    }
}
