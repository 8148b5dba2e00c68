import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import CDBus
import Glibc
import Testing

@Suite("Messages with many descriptors", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
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

    @Test("what is sent arrives in order, however deep it is, and with the values between")
    func nested() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let files = try (0..<4).map { _ in try BusFileDescriptor(duplicating: STDERR_FILENO) }
        let value = BusValue.structure([
            .options(["a": .fileDescriptor(files[0]), "b": .strings([]), "c": .bytes([1, 2, 3])]),
            .array(of: .fileDescriptor, [.fileDescriptor(files[1]), .fileDescriptor(files[2])]), .double(0.5),
            .variant(.structure([.string("x"), .fileDescriptor(files[3]), .dictionary(key: .byte, value: .byte, [])])),
        ])
        let answer = try #require(try await connection.call(.peer("Echo", [.variant(value)])).first?.unwrapped)
        let received = Self.descriptors(in: answer)
        #expect(received.count == 4 && Set(received.map(\.number)).count == 4)
        #expect(Self.replacing(answer, by: files) == value)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a process that may open no more files gets an error that says so, and is transient")
    func exhausted() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 16
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var files: [BusFileDescriptor] = []
            let error = #expect(throws: BusError.self) {
                for _ in 0..<16 { files.append(try BusFileDescriptor(duplicating: STDERR_FILENO)) }
            }
            #expect(error?.code == .limitsExceeded && error?.isTransient == true)
            #expect(error?.description.contains("ulimit -n") == true)
        }
    }

    @Test("more than every bus takes are refused, and any by a bus that passes none")
    func refused() async throws {
        let one = BusValue.fileDescriptor(try BusFileDescriptor(duplicating: STDERR_FILENO))
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let most = BusValue.array(of: .fileDescriptor, Array(repeating: one, count: 16))
        #expect(try await connection.call(.peer("Echo", [.variant(most)])).count == 1)
        let tooMany = BusValue.array(of: .fileDescriptor, Array(repeating: one, count: 17))
        let error = try await failure { try await connection.call(.peer("Echo", [.variant(tooMany)])) }
        #expect(error.code == .tooLarge && !error.isTransient)
        let distant = try await TestBus(passesDescriptors: false)
        let remote = try await distant.connection()
        let unsupported = try await failure { try await remote.call(.peer("Echo", [.variant(one)])) }
        #expect(unsupported.code == .unsupported)
        withExtendedLifetime((peer, export)) {}
    }

    private static func descriptors(in value: BusValue) -> [BusFileDescriptor] {
        switch value {
        case .fileDescriptor(let descriptor): [descriptor]
        case .variant(let inner): descriptors(in: inner)
        case .array(_, let values), .structure(let values): values.flatMap(descriptors)
        case .dictionary(_, _, let entries): entries.flatMap { descriptors(in: $0.value) }
        default: []
        }
    }

    /// The same value with other descriptors, in order.
    private static func replacing(_ value: BusValue, by files: [BusFileDescriptor]) -> BusValue {
        var rest = files[...]
        return replacing(value, by: &rest)
    }

    private static func replacing(_ value: BusValue, by files: inout ArraySlice<BusFileDescriptor>) -> BusValue {
        switch value {
        case .fileDescriptor: return files.popFirst().map(BusValue.fileDescriptor) ?? value
        case .variant(let inner): return .variant(replacing(inner, by: &files))
        case .array(let type, let values): return .array(of: type, values.map { replacing($0, by: &files) })
        case .structure(let values): return .structure(values.map { replacing($0, by: &files) })
        case .dictionary(let key, let type, let entries):
            let entries = entries.map { BusEntry($0.key, replacing($0.value, by: &files)) }
            return .dictionary(key: key, value: type, entries)
        default: return value
        }
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
