import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("The connection", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("without a bus the error comes at once: no socket, an address that can't be read, autolaunch")
    func noBus() async throws {
        let addresses: [(String, BusError.Code)] = [
            ("unix:path=/nonexistent/bus", .noBus), ("autolaunch:", .noBus), ("autolaunch:scope=x;autolaunch:", .noBus),
            ("", .noBus), ("nonsense", .invalidAddress), ("unix:path=/a\0b", .invalidAddress),
        ]
        for (address, code) in addresses {
            let connection = BusConnection(to: .address(address))
            let error = try await failure { try await connection.connect() }
            #expect(error.code == code, "\(address)")
            #expect(connection.state == .idle || error.isTransient)
            await connection.close()
        }
    }

    @Test("a call before the connection is an error, a call during the attempt waits for it")
    func early() async throws {
        let bus = try await TestBus()
        let connection = BusConnection(to: .address(bus.address), configuration: .quick)
        let error = try await failure { try await connection.call(.peer("Echo")) }
        #expect(error.code == .disconnected && error.isTransient)
        connection.start()
        #expect(try await connection.owner(of: peerName) == nil)
        #expect(connection.uniqueName?.hasPrefix(":") == true)
    }

    @Test("a bus that doesn't answer the greeting costs the connect limit and no more")
    func hangingBus() async throws {
        let bus = try await TestBus()
        bus.freeze()
        let connection = BusConnection(
            to: .address(bus.address),
            configuration: BusConfiguration(connectTimeout: .milliseconds(100), reconnection: nil)
        )
        let waiting = Task { try await failure { try await connection.call(.peer("Echo")) } }
        let error = try await failure { try await connection.connect() }
        #expect(error.code == .noBus && error.isTransient)
        #expect([.noBus, .disconnected].contains(try await waiting.value.code))
        bus.thaw()
        // A busy machine may take longer than the limit here, too.
        while (try? await connection.connect()) == nil { try Task.checkCancellation() }
    }

    @Test("a bus that accepts nobody holds one socket and one thread, however often it is tried")
    func fullBacklog() async throws {
        let path = NSTemporaryDirectory() + "belfry-full-\(UUID().uuidString.prefix(8))"
        defer { unlink(path) }
        let server = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        try #require(withSocketAddress(path) { bind(server, $0, $1) } == 0 && listen(server, 0) == 0)
        // What the kernel takes in itself.
        let guests = (0..<4).map { _ in
            let guest = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = withSocketAddress(path) { connect(guest, $0, $1) }
            return guest
        }
        defer { for guest in guests { close(guest) } }
        let count = { (folder: String) in try FileManager.default.contentsOfDirectory(atPath: folder).count }
        let before = (try count("/proc/self/fd"), try count("/proc/self/task"))
        let connection = BusConnection(
            to: .address("unix:path=\(path)"),
            configuration: BusConfiguration(
                connectTimeout: .milliseconds(10),
                reconnection: BusReconnection(first: .milliseconds(1), longest: .milliseconds(1))
            )
        )
        let states = connection.states()
        connection.start()
        var attempts = 0
        for await state in states {
            if case .disconnected = state { attempts += 1 }
            if attempts == 120 { break }
        }
        // Other tests run beside this one; a hundred sockets and threads would show.
        #expect(try count("/proc/self/fd") < before.0 + 90)
        #expect(try count("/proc/self/task") < before.1 + 90)
        await connection.close()
    }

    @Test("what is no bus at all is an error: a server that sends noise", arguments: [UInt64](1...8))
    func noise(seed: UInt64) async throws {
        let server = try NoiseServer(seed: seed)
        let connection = BusConnection(
            to: .address(server.address),
            configuration: BusConfiguration(connectTimeout: .seconds(2), reconnection: nil)
        )
        let error = try await failure { try await connection.connect() }
        #expect([.noBus, .authenticationFailed].contains(error.code))
        await connection.close()
    }

    @Test("the bus is killed: open calls fail, and all is as before when it is back")
    func restart() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let signals = try await connection.signals(BusMatch(sender: peerName, interface: peerName))
        var owners = try await connection.owners(of: peerName).makeAsyncIterator()
        #expect(await owners.next() == peer.uniqueName)
        var states = connection.states().makeAsyncIterator()
        // More than the window: some are on their way, the others in line.
        let (codes, continuation) = AsyncStream.makeStream(of: BusError.Code?.self)
        for _ in 0..<100 {
            try connection.call(.peer("Never")) { result in
                if case .failure(let error) = result { continuation.yield(error.code) } else { continuation.yield(nil) }
            }
        }
        for round in 0..<3 {
            bus.kill()
            if round == 0 { for await code in codes.prefix(100) { #expect(code == .disconnected) } }
            #expect(await owners.next() == .some(nil))
            while let state = await states.next() {
                if case .disconnected(let error, _) = state {
                    #expect(error.isTransient)
                    break
                }
            }
            try await bus.start()
            while let state = await states.next() { if case .connected = state { break } }
            // The peer is back under its name, with its object, and its signals arrive.
            while let owner = await owners.next(), owner == nil {}
            #expect(try await connection.call(.peer("Echo", [.variant(.byte(9))])) == [.variant(.byte(9))])
            try peer.emit(BusSignal(peerPath, peerName, "Back", [.int32(Int32(round))]))
            #expect(await signals.first { _ in true }?.arguments == [.int32(Int32(round))])
        }
        withExtendedLifetime((peer, export)) {}
    }

    @Test("closing ends everything, at once and for good")
    func closing() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let signals = try await connection.signals(BusMatch(interface: peerName))
        let owners = try await connection.owners(of: peerName)
        let states = connection.states()
        let (answers, answer) = AsyncStream.makeStream(of: Result<[BusValue], BusError>.self)
        try connection.call(.peer("Never")) { answer.yield($0) }
        _ = try await connection.call(.peer("Echo", [.variant(.byte(1))]))
        await connection.close()
        await connection.close()
        #expect(try await failure { _ = try await answers.first { _ in true }?.get() }.code == .closed)
        #expect(await signals.first { _ in true } == nil)
        var last: BusState?
        for await state in states { last = state }
        #expect(last == .closed)
        for await _ in owners {}
        for await state in connection.states() { #expect(state == .closed) }
        let later = try await failure { try await connection.connect() }
        #expect(later.code == .closed)
        #expect(try await failure { try connection.emit(BusSignal(peerPath, peerName, "X")) }.code == .closed)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a connection that nobody holds leaves the bus, and leaves no descriptor behind")
    func release() async throws {
        let bus = try await TestBus()
        let watcher = try await bus.connection()
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<20 {
            var connection: BusConnection? = try await bus.connection()
            let name = try #require(connection?.uniqueName)
            var owners = try await watcher.owners(of: name).makeAsyncIterator()
            #expect(await owners.next() == name)
            connection = nil
            #expect(await owners.next() == .some(nil))
        }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Other tests run beside this one; twenty leaked sockets would show.
        #expect(after < before + 15)
    }
}

/// A socket on which something speaks that is no bus.
private final class NoiseServer: Sendable {
    let address: String
    private let path: String
    private let socket: Int32

    init(seed: UInt64) throws {
        path = NSTemporaryDirectory() + "belfry-noise-\(UUID().uuidString.prefix(8))"
        address = "unix:path=\(path)"
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        try #require(withSocketAddress(path) { bind(socket, $0, $1) } == 0 && listen(socket, 4) == 0)
        Thread.detachNewThread {
            let client = accept(socket, nil, nil)
            guard client >= 0 else { return }
            var random = SeededGenerator(seed: seed)
            // Half of them get through the authentication first.
            var bytes = seed % 2 == 0 ? Array("OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8) : []
            bytes += (0..<4000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            if seed % 3 == 0 { shutdown(client, Int32(SHUT_RDWR)) }
            var rest = [UInt8](repeating: 0, count: 4096)
            while recv(client, &rest, rest.count, 0) > 0 {}
            close(client)
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        unlink(path)
    }
}
