import BelfryBusTestSupport
import BelfryTestSupport
import CDBus
import Glibc
import Testing

@testable import BelfryBus

/// A bus that a test plays by hand: it reads and writes when the test says so, and hangs up in the middle.
final class RawBus {
    private let folder: TemporaryFolder
    private let listener: Int32
    /// The socket of the client; -1 before ``serve(_:)`` and after ``hangUp()``.
    private(set) var socket: Int32 = -1
    private var lastSerial: UInt32 = 0

    init() throws {
        folder = try TemporaryFolder()
        listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = folder.path("bus")
        try #require(withSocketAddress(path) { bind(listener, $0, $1) } == 0 && listen(listener, 4) == 0)
    }

    deinit {
        hangUp()
        close(listener)
    }

    var address: String { "unix:path=\(folder.path("bus"))" }

    /// Connects a client: accepts it, and answers its greeting.
    func serve(_ client: BusConnection, passesDescriptors: Bool = true) async throws {
        client.start()
        socket = accept(listener, nil, nil)
        try #require(socket >= 0)
        var heard = ""
        while !heard.contains("BEGIN\r\n") {
            heard += String(decoding: read(atMost: 4_096), as: UTF8.self)
            while let end = heard.firstRange(of: "\r\n"), !heard.hasPrefix("BEGIN") {
                let line = heard[..<end.lowerBound]
                let descriptors = passesDescriptors ? "AGREE_UNIX_FD" : "ERROR"
                write(Array((line.contains("NEGOTIATE") ? descriptors : "OK \(Self.busID)").utf8) + [13, 10])
                heard.removeSubrange(..<end.upperBound)
            }
        }
        // The greeting is the first message.
        if heard.hasSuffix("BEGIN\r\n") { _ = read(atMost: 4_096) }
        try send(DBUS_MESSAGE_TYPE_METHOD_RETURN, text: ":1.1") { dbus_message_set_reply_serial($0, 1) }
        try await client.connect()
    }

    private static let busID = String(repeating: "1234abcd", count: 4)

    /// Sends signals in one write: many small ones take more room in a socket than their bytes.
    func emit(_ member: String, times: Int = 1) throws {
        try send(DBUS_MESSAGE_TYPE_SIGNAL, times: times) { message in
            dbus_message_set_path(message, peerPath.text)
            dbus_message_set_interface(message, peerName)
            dbus_message_set_member(message, member)
        }
    }

    func call(_ method: String, of interface: String) throws {
        try send(DBUS_MESSAGE_TYPE_METHOD_CALL) { message in
            dbus_message_set_path(message, peerPath.text)
            dbus_message_set_interface(message, interface)
            dbus_message_set_member(message, method)
        }
    }

    /// Sends a message that comes from the bus itself.
    private func send(
        _ kind: Int32,
        text: String? = nil,
        times: Int = 1,
        fill: (OpaquePointer) -> Void
    ) throws {
        let message = try #require(dbus_message_new(kind))
        defer { dbus_message_unref(message) }
        fill(message)
        lastSerial += 1
        dbus_message_set_serial(message, lastSerial)
        dbus_message_set_sender(message, BusDriver.name)
        text?.withCString { text in
            var (arguments, value) = (DBusMessageIter(), DBusBasicValue())
            value.str = UnsafeMutablePointer(mutating: text)
            dbus_message_iter_init_append(message, &arguments)
            dbus_message_iter_append_basic(&arguments, Int32(UInt8(ascii: "s")), &value)
        }
        var (bytes, length): (UnsafeMutablePointer<CChar>?, Int32) = (nil, 0)
        try #require(dbus_message_marshal(message, &bytes, &length) != 0)
        defer { dbus_free(bytes) }
        let once = Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
        write(Array(repeatElement(once, count: times).joined()))
    }

    /// Waits for bytes of the client.
    func read(atMost count: Int) -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = max(0, recv(socket, buffer.baseAddress, count, 0))
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) {
        #expect(Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    func hangUp() {
        if socket >= 0 { close(socket) }
        socket = -1
    }
}
