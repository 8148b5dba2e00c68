import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite("Values on the bus", .takesTurns, .enabled(if: hasDaemon, noDaemon))
struct RoundTripTests {
    @Test("every type comes back as it was sent", arguments: [UInt64](1...4))
    func everyType(seed: UInt64) async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        var values = RandomValues(seed: seed)
        for _ in 0..<250 {
            let value = BusValue.variant(values.value())
            let answer = try await connection.call(.peer("Echo", [value], expects: "v"))
            guard answer == [value] else {
                Issue.record("seed \(seed): sent \(value), got \(answer)")
                return
            }
        }
        withExtendedLifetime((peer, export)) {}
    }

    @Test("several arguments come in order, empty containers with their types")
    func severalArguments() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let signals = try await receiver.signals(BusMatch(interface: peerName))
        let arguments: [BusValue] = [
            .array(of: .structure([.int32, .variant]), []), .bytes([]), .options([:]),
            .dictionary(key: .byte, value: .array(of: .array(of: .double)), []), .strings([]), .string(""),
            .double(-.zero), .structure([.structure([.boolean(true)])]),
        ]
        try sender.emit(BusSignal(peerPath, peerName, "Many", arguments))
        let signal = try #require(await signals.first { _ in true })
        #expect(signal.arguments == arguments)
        #expect(signal.sender == sender.uniqueName)
    }

    @Test("an array of bytes given one by one arrives as one block; eight megabytes do")
    func bytes() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let single = try await connection.call(.peer("Echo", [.variant(.array(of: .byte, [.byte(1), .byte(2)]))]))
        #expect(single == [.variant(.bytes([1, 2]))])
        let block = [UInt8](repeating: 0xA5, count: 8 << 20)
        #expect(try await connection.call(.peer("Echo", [.variant(.bytes(block))])).first?.bytes == block)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("64 levels pass the bus, 65 are refused here")
    func deep() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        var value = BusValue.string("deep")
        for _ in 0..<64 { value = .variant(value) }
        #expect(try await connection.call(.peer("Echo", [value])) == [value])
        let error = try await failure { try await connection.call(.peer("Echo", [.variant(value)])) }
        #expect(error.code == .invalidValue)
        #expect(connection.uniqueName != nil)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a file descriptor arrives as another one of the same file")
    func fileDescriptor() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let pipe = Pipe()
        let sent = try BusFileDescriptor(duplicating: pipe.fileHandleForWriting.fileDescriptor)
        let answer = try await connection.call(.peer("Echo", [.variant(.fileDescriptor(sent))]))
        let received = try #require(answer.first?.fileDescriptor)
        #expect(received.number != sent.number)
        try FileHandle(fileDescriptor: received.number, closeOnDealloc: false).write(contentsOf: Data("hello".utf8))
        #expect(pipe.fileHandleForReading.availableData == Data("hello".utf8))
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a number that is no open descriptor is an error, not a crash")
    func badDescriptor() async throws {
        let error = try await failure { _ = try BusFileDescriptor(duplicating: -1) }
        #expect(error.code == .invalidValue)
        let bus = try await TestBus()
        let connection = try await bus.connection()
        let owned = BusFileDescriptor(owning: -1)
        let refused = try await failure { try await connection.call(.peer("Echo", [.variant(.fileDescriptor(owned))])) }
        #expect(refused.code == .invalidValue)
    }
}
