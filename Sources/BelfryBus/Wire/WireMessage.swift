internal import CDBus

/// A message of libdbus that is written here and sent once.
///
/// `@unchecked Sendable`: it is written by the one thread that makes it, and from then on only read; libdbus counts
/// references atomically.
final class WireMessage: @unchecked Sendable {
    let handle: OpaquePointer
    /// Bytes, but for the field that counts descriptors.
    let length: Int
    let carriesDescriptors: Bool

    /// Takes the reference over.
    private init(_ handle: OpaquePointer, length: Int, carriesDescriptors: Bool) {
        self.handle = handle
        self.length = length
        self.carriesDescriptors = carriesDescriptors
    }

    deinit { dbus_message_unref(handle) }

    /// Names that are already checked, for the header.
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

    /// Checks everything, then writes. Throws ``BusError/Code/invalidName``, ``BusError/Code/invalidValue``,
    /// ``BusError/Code/invalidSignature``, ``BusError/Code/tooLarge`` and ``BusError/Code/outOfMemory``.
    static func make(_ header: Header, _ arguments: [BusValue], limit: Int) throws(BusError) -> WireMessage {
        try check(header)
        // Fixed fields, names of 255 bytes at most, and a signature; the path has a length of its own.
        let headerLength = 1536 + (header.path?.text.utf8.count ?? 0)
        let signature = try BusSignature(of: arguments)
        var writer = WireWriter(limit: min(limit, BusLimits.messageLength) - headerLength)
        writer.writeHeader(header, signature)
        try writer.writeBody(arguments, signature)
        guard writer.descriptors <= BusLimits.fileDescriptors else {
            throw BusError(
                .tooLarge,
                "\(writer.descriptors) file descriptors are more than a message takes: send \(BusLimits.fileDescriptors) at most."
            )
        }
        let carriesDescriptors = writer.descriptors > 0
        // Descriptors are taken by libdbus's iterator only.
        let handle = try carriesDescriptors ? assembled(header, arguments, signature) : read(writer.bytes)
        return WireMessage(handle, length: writer.bytes.count, carriesDescriptors: carriesDescriptors)
    }

    /// A message of libdbus from its bytes, which it checks. The reference is the caller's.
    private static func read(_ bytes: [UInt8]) throws(BusError) -> OpaquePointer {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let read = bytes.withUnsafeBytes {
            dbus_message_demarshal($0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), &error)
        }
        guard let read else {
            let name = error.name.map { String(cString: $0) }
            guard name != "org.freedesktop.DBus.Error.NoMemory" else { throw WireEncoder.outOfMemory }
            let cause = error.message.map { String(cString: $0) }
            throw BusError(.invalidValue, "libdbus does not take the message: report this.", cause: cause, name: name)
        }
        defer { dbus_message_unref(read) }
        // The copy has no serial number, so that libdbus gives it one when it sends.
        guard let message = dbus_message_copy(read) else { throw WireEncoder.outOfMemory }
        return message
    }

    /// The same message, written by libdbus. The reference is the caller's.
    static func assembled(
        _ header: Header,
        _ arguments: [BusValue],
        _ signature: BusSignature
    ) throws(BusError) -> OpaquePointer {
        guard let handle = dbus_message_new(header.kind) else { throw WireEncoder.outOfMemory }
        do throws(BusError) {
            guard write(header, into: handle) else { throw WireEncoder.outOfMemory }
            guard !arguments.isEmpty else { return handle }
            var iterator = DBusMessageIter()
            dbus_message_iter_init_append(handle, &iterator)
            for (argument, type) in zip(arguments, signature.types) {
                try WireEncoder.append(argument, as: type, to: &iterator)
            }
            return handle
        } catch {
            dbus_message_unref(handle)
            throw error
        }
    }

    private static func check(_ header: Header) throws(BusError) {
        if let destination = header.destination { try BusNameRules.checkBusName(destination) }
        if let interface = header.interface { try BusNameRules.checkInterface(interface) }
        if let member = header.member { try BusNameRules.checkMember(member) }
        if let name = header.errorName { try BusNameRules.checkInterface(name) }
        // libdbus refuses to send what claims to come from itself.
        guard header.interface != "org.freedesktop.DBus.Local", header.path?.text != "/org/freedesktop/DBus/Local"
        else {
            throw BusError(.invalidName, "org.freedesktop.DBus.Local is for libdbus's own use: take another name.")
        }
    }

    /// False where memory has run out: every field is checked before.
    private static func write(_ header: Header, into handle: OpaquePointer) -> Bool {
        if let destination = header.destination, dbus_message_set_destination(handle, destination) == 0 { return false }
        if let path = header.path, dbus_message_set_path(handle, path.text) == 0 { return false }
        if let interface = header.interface, dbus_message_set_interface(handle, interface) == 0 { return false }
        if let member = header.member, dbus_message_set_member(handle, member) == 0 { return false }
        if let name = header.errorName, dbus_message_set_error_name(handle, name) == 0 { return false }
        if let serial = header.replySerial, dbus_message_set_reply_serial(handle, serial) == 0 { return false }
        dbus_message_set_no_reply(handle, header.expectsReply ? 0 : 1)
        dbus_message_set_auto_start(handle, header.startsService ? 1 : 0)
        return true
    }
}
