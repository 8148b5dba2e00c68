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

    /// What is known about the socket after writing to it.
    enum SocketState {
        case open
        /// Nobody reads at the other side any more.
        case hungUp
        case broken
    }

    /// Writes until the socket is full.
    mutating func write(to socket: Int32) -> SocketState {
        while let part = parts.first {
            let numbers = sentLength == 0 ? part.descriptors.map(\.number) : []
            let result = part.bytes[sentLength...].withUnsafeBytes {
                belfry_dbus_send(socket, $0.baseAddress, $0.count, numbers, numbers.count)
            }
            let taken: Int
            switch Int32(-min(result, 0)) {
            case 0: taken = result
            case EAGAIN, ENOBUFS, ENOMEM: return .open
            case EPIPE: return .hungUp
            // The user has more descriptors on their way than files may be open (unix(7)). As with libdbus, that costs
            // this message, and not the connection with all its calls.
            case ETOOMANYREFS: taken = part.bytes.count
            default: return .broken
            }
            sentLength += taken
            length -= taken
            if sentLength == part.bytes.count {
                parts.removeFirst()
                sentLength = 0
            }
        }
        return .open
    }
}
