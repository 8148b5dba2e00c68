import BelfryBusTestSupport
import BelfryLoop
import BelfryTestSupport
import Dispatch
import Glibc
import Testing

@testable import BelfryBus

@Suite("A bus that reads slowly, hangs up or passes no descriptors", .takesTurns, .timeLimit(.minutes(5)))
struct RawBusTests {
    private func client(of bus: RawBus, outgoingLimit: Int = 64 << 20) -> BusConnection {
        var configuration = BusConfiguration(reconnection: nil)
        configuration.outgoingLimit = outgoingLimit
        return BusConnection(to: .address(bus.address), configuration: configuration)
    }

    /// Returns when the connection's thread has done what it was told.
    private func settle(_ client: BusConnection) async {
        await withCheckedContinuation { continuation in client.core.perform { _ in continuation.resume() } }
        await withCheckedContinuation { continuation in client.core.perform { _ in continuation.resume() } }
    }

    @Test("room for signals is free again as soon as the socket has taken what waited, whatever woke the connection")
    func room() async throws {
        let bus = try RawBus()
        let client = client(of: bus, outgoingLimit: 100_000)
        try await bus.serve(client)
        let ticks = try await client.signals(BusMatch(member: "Tick"), addsRule: false)
        var arrivals = ticks.makeAsyncIterator()
        let block = BusSignal(peerPath, peerName, "Block", [.bytes([UInt8](repeating: 7, count: 4_000))])
        let length = try block.message(limit: 1 << 20).bytes.count
        var sentLength = 0
        while (try? client.emit(block)) != nil {
            sentLength += length
            await settle(client)
        }
        // Each piece comes with a signal, so it is never the room in the socket that wakes up the connection: Linux
        // announces that only when three quarters are free (unix(7), sock_wspace).
        while sentLength > 120_000 {
            sentLength -= bus.read(atMost: 8_000).count
            try bus.emit("Tick")
            _ = await arrivals.next()
        }
        // The connection has processed the last signal, and nothing else.
        await withCheckedContinuation { continuation in client.core.loop.perform { continuation.resume() } }
        for _ in 0..<(100_000 / length) { try client.emit(block) }
    }

    @Test("what a bus has sent before it hung up arrives, also when the connection has something to write")
    func lastWords() async throws {
        let bus = try RawBus()
        let client = client(of: bus)
        try await bus.serve(client)
        let ticks = try await client.signals(BusMatch(member: "Tick"), addsRule: false)
        let isWritten = DispatchSemaphore(value: 0)
        client.core.perform { _ in isWritten.wait() }
        // Its answer is what the connection writes to the closed socket.
        try bus.call("Ping", of: "org.freedesktop.DBus.Peer")
        try bus.emit("Tick", times: 500)
        bus.hangUp()
        isWritten.signal()
        var count = 0
        for await state in client.states() where state == .idle { break }
        await client.close()
        for await _ in ticks { count += 1 }
        #expect(count == 500)
    }

    @Test("a method whose reply has descriptors answers with an error on a bus that passes none")
    func noDescriptors() async throws {
        let bus = try RawBus()
        let client = client(of: bus)
        try await bus.serve(client, passesDescriptors: false)
        let file = try BusFileDescriptor(duplicating: 0)
        let interface = BusInterface(
            peerName,
            methods: [BusMethod("Open", returns: [BusArgument("file", "h")], atOnce: { _ in [.fileDescriptor(file)] })]
        )
        let export = try await client.export([interface], at: peerPath)
        try bus.call("Open", of: peerName)
        let answer = bus.read(atMost: 4_096)
        // The second byte is the kind of message.
        #expect(answer.dropFirst().first == 3)
        #expect(String(decoding: answer, as: UTF8.self).contains("does not pass file descriptors"))
        withExtendedLifetime(export) {}
    }
}
