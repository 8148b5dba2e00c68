import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import CDBus
import Glibc
import Testing

@Suite("Messages with many descriptors", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(1)))
struct DescriptorTests {
    @Test("one that a bus lets through arrives, with more than the 16 that libdbus expects unless told")
    func received() async throws {
        let bus = try await TestBus(limits: ["max_message_unix_fds": 253])
        let receiver = try await bus.connection()
        let name = receiver.uniqueName
        let signals = try await receiver.signals(BusMatch(member: "Many"))
        try send(17, to: bus.address)
        let signal = try #require(await signals.first { _ in true })
        #expect(signal.arguments.count == 17)
        #expect(receiver.uniqueName == name)
    }

    /// A signal of another program's, for Belfry itself sends no more than any bus takes.
    private func send(_ count: Int, to address: String) throws {
        let connection = try #require(dbus_connection_open_private(address, nil))
        defer {
            dbus_connection_close(connection)
            dbus_connection_unref(connection)
        }
        dbus_connection_set_exit_on_disconnect(connection, 0)
        try #require(dbus_bus_register(connection, nil) != 0)
        let message = try #require(dbus_message_new_signal(peerPath.description, peerName, "Many"))
        defer { dbus_message_unref(message) }
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for _ in 0..<count {
            var descriptor = descriptor
            try #require(dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "h")), &descriptor) != 0)
        }
        try #require(dbus_connection_send(connection, message, nil) != 0)
        dbus_connection_flush(connection)
    }
}
