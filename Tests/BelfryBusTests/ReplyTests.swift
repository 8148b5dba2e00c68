import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Synchronization
import Testing

@Suite("Replies at any time", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct ReplyTests {
    /// An object whose method `Ask` answers when the test says so: the replies come in the stream.
    private func makeObject(
        _ bus: TestBus
    ) async throws -> (object: BusConnection, export: BusSubscription, replies: AsyncStream<BusReply>) {
        let connection = try await bus.connection()
        let (replies, continuation) = AsyncStream.makeStream(of: BusReply.self)
        let number = [BusArgument("number", "u")]
        let ask = BusMethod("Ask", takes: number, returns: number, replying: { continuation.yield($1) })
        let export = try await connection.export([BusInterface(peerName, methods: [ask])], at: peerPath)
        try await connection.requestName(peerName)
        return (connection, export, replies)
    }

    @Test("calls are answered in any order, each once, and with the declared types only")
    func order() async throws {
        let bus = try await TestBus()
        let (object, export, replies) = try await makeObject(bus)
        let connection = try await bus.connection()
        let (answers, continuation) = AsyncStream.makeStream(of: Result<[BusValue], BusError>.self)
        for number in 1...3 as ClosedRange<UInt32> {
            try connection.call(.peer("Ask", [.uint32(number)])) { continuation.yield($0) }
        }
        var held: [BusReply] = []
        for await reply in replies {
            held.append(reply)
            if held.count == 3 { break }
        }
        held[2].send([.uint32(3)])
        held[2].send([.uint32(33)])
        held[0].send(BusError.reply("org.example.Error.Sad", "so sad"))
        held[1].send([.string("no number")])
        var received: [Result<[BusValue], BusError>] = []
        for await answer in answers {
            received.append(answer)
            if received.count == 3 { break }
        }
        #expect(try received[0].get() == [.uint32(3)])
        #expect(throws: BusError.self) { try received[1].get() }
        guard case .failure(let sad) = received[1], case .failure(let wrong) = received[2] else { return }
        #expect(sad.name == "org.example.Error.Sad" && sad.cause == "so sad")
        #expect(wrong.name == "org.freedesktop.DBus.Error.Failed")
        withExtendedLifetime((object, export)) {}
    }

    @Test("a reply that comes too late goes where the caller wanted it, and nowhere else")
    func late() async throws {
        let bus = try await TestBus()
        let (object, export, replies) = try await makeObject(bus)
        let connection = try await bus.connection()
        let (log, continuation) = AsyncStream.makeStream(of: String.self)
        let call = BusMethodCall.peer("Ask", [.uint32(1)], timeout: .milliseconds(20))
        try connection.call(call, late: { continuation.yield("late \((try? $0.get()) == [.uint32(7)])") }) { result in
            if case .failure(let error) = result { continuation.yield(error.code.rawValue) }
        }
        try connection.call(call) { _ in continuation.yield("without") }
        var entries = log.makeAsyncIterator()
        #expect(await entries.next() == "timedOut")
        #expect(await entries.next() == "without")
        var count = 0
        for await reply in replies {
            reply.send([.uint32(7)])
            count += 1
            if count == 2 { break }
        }
        #expect(await entries.next() == "late true")
        continuation.finish()
        #expect(await entries.next() == nil)
        withExtendedLifetime((object, export)) {}
    }
}
