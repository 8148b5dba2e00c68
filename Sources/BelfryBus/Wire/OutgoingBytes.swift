import CDBus
import Glibc

/// The messages that a socket has not taken yet, in the order of sending.
struct OutgoingBytes {
    /// Messages one after another; with descriptors, a single message, whose first byte carries them.
    private struct Part {
        var bytes: [UInt8]
        let descriptors: [BusFileDescriptor]
    }

    private var parts: [Part] = []
    /// How many bytes of the first part are sent.
    private var sentLength = 0
    /// The number of bytes that wait.
    private(set) var length = 0

    /// The length of a part that gets no further messages, so that sent bytes are freed.
    private static let partLength = 1 << 16

    mutating func append(_ message: WireMessage, serial: UInt32) {
        length += message.length
        let isAlone = message.carriesDescriptors || parts.last?.descriptors.isEmpty == false
        if isAlone || parts.last.map({ $0.bytes.count >= Self.partLength }) ?? true {
            parts.append(Part(bytes: [], descriptors: message.descriptors))
        }
        let last = parts.count - 1
        let position = parts[last].bytes.count + WireMessage.serialPosition
        parts[last].bytes += message.bytes
        withUnsafeBytes(of: serial) { parts[last].bytes.replaceSubrange(position..<position + 4, with: $0) }
    }

    /// Writes until the socket is full. Returns false if the other side is gone.
    mutating func write(to socket: Int32) -> Bool {
        while let part = parts.first {
            let numbers = sentLength == 0 ? part.descriptors.map(\.number) : []
            let result = part.bytes[sentLength...].withUnsafeBytes {
                belfry_dbus_send(socket, $0.baseAddress, $0.count, numbers, numbers.count)
            }
            guard result >= 0 else { return [EAGAIN, ENOBUFS, ENOMEM].contains(Int32(-result)) }
            sentLength += result
            length -= result
            if sentLength == part.bytes.count {
                parts.removeFirst()
                sentLength = 0
            }
        }
        return true
    }
}
