import CDBus

/// A message as bytes, to be sent once.
struct WireMessage: Sendable {
    /// The serial number in them is 1.
    let bytes: [UInt8]
    /// Copies, because the originals may be closed before the message is sent.
    let descriptors: [BusFileDescriptor]

    /// The position of the serial number.
    static let serialPosition = 8

    var length: Int { bytes.count }
    var carriesDescriptors: Bool { !descriptors.isEmpty }

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
                "\(writer.descriptors.count) file descriptors are more than a message takes: send "
                    + "\(BusLimits.fileDescriptors) at most."
            )
        }
        guard !writer.descriptors.isEmpty else { return WireMessage(bytes: writer.bytes, descriptors: []) }
        var descriptors: [BusFileDescriptor] = []
        for number in writer.descriptors { descriptors.append(try BusFileDescriptor(duplicating: number)) }
        // Their number is known now, and belongs before the arguments, which are aligned as before.
        var counted = WireWriter(limit: 0)
        counted.writeHeader(header, signature, descriptors: UInt32(descriptors.count))
        return WireMessage(bytes: counted.bytes(followedBy: writer), descriptors: descriptors)
    }

    static let outOfMemory = BusError(.outOfMemory, "libdbus could not get memory: try again later.")

    private static func check(_ header: Header) throws(BusError) {
        if let destination = header.destination { try BusNameRules.checkBusName(destination) }
        if let interface = header.interface { try BusNameRules.checkInterface(interface) }
        if let member = header.member { try BusNameRules.checkMember(member) }
        if let name = header.errorName { try BusNameRules.checkInterface(name) }
        // A bus disconnects whoever sends messages that claim to come from libdbus itself.
        guard header.interface != "org.freedesktop.DBus.Local", header.path?.text != "/org/freedesktop/DBus/Local"
        else {
            throw BusError(.invalidName, "org.freedesktop.DBus.Local is for libdbus's own use: take another name.")
        }
    }
}
