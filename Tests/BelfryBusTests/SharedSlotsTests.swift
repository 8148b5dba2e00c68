import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Testing

/// The bus lets a connection wait for 128 replies: peers that don't give theirs must not take them all.
@Suite("Slots for replies", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct SharedSlotsTests {
    private func echo(to peer: BusConnection) throws -> BusMethodCall {
        var call = BusMethodCall.peer("Echo", [.variant(.byte(1))], timeout: .seconds(30))
        call.destination = try #require(peer.uniqueName)
        return call
    }

    @Test("callers that give up on a peer that hangs leave room for the others, and for the bus itself")
    func cancelled() async throws {
        let bus = try await TestBus()
        let (other, otherExport) = try await makePeer(bus)
        let hanging = try await bus.connection()
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        let hang = BusMethod(
            "Hang",
            later: { _ in
                continuation.yield()
                for await _ in AsyncStream<Never>.makeStream().stream {}
                throw CancellationError()
            }
        )
        let export = try await hanging.export([BusInterface(peerName, methods: [hang])], at: peerPath)
        let connection = try await bus.connection()
        var call = BusMethodCall.peer("Hang")
        call.destination = try #require(hanging.uniqueName)
        let tasks = (0..<300).map { [call] _ in Task { try await failure { try await connection.call(call) }.code } }
        for await _ in arrivals.prefix(30) {}
        for task in tasks {
            task.cancel()
            #expect(try await task.value == .cancelled)
        }
        #expect(try await connection.call(echo(to: other)) == [.variant(.byte(1))])
        #expect(try await connection.owner(of: peerName) == other.uniqueName)
        withExtendedLifetime((hanging, export, otherExport)) {}
    }

    @Test("while a peer hangs the others are served, not only when its time is over")
    func meanwhile() async throws {
        let bus = try await TestBus()
        let (hanging, export) = try await makePeer(bus)
        let (other, otherExport) = try await makePeer(bus)
        let connection = try await bus.connection()
        for _ in 0..<300 { try connection.call(.peer("Never")) { _ in } }
        #expect(try await connection.call(echo(to: other)) == [.variant(.byte(1))])
        #expect(try await connection.owner(of: peerName) == hanging.uniqueName)
        withExtendedLifetime((export, otherExport)) {}
    }

    @Test("four peers whose time is over leave room for a fifth")
    func overdue() async throws {
        let bus = try await TestBus()
        let connection = try await bus.connection()
        var peers: [(BusConnection, BusSubscription)] = []
        for _ in 0..<5 { peers.append(try await makePeer(bus)) }
        for (peer, _) in peers.dropLast() {
            var call = BusMethodCall.peer("Never", timeout: .milliseconds(100))
            call.destination = try #require(peer.uniqueName)
            let (codes, continuation) = AsyncStream.makeStream(of: BusError.Code?.self)
            for _ in 0..<40 {
                try connection.call(call) { result in
                    let code: BusError.Code? = if case .failure(let error) = result { error.code } else { nil }
                    continuation.yield(code)
                }
            }
            for await code in codes.prefix(40) { #expect(code == .timedOut || code == .peerOverdue) }
        }
        #expect(try await connection.call(echo(to: peers[4].0)) == [.variant(.byte(1))])
        withExtendedLifetime(peers) {}
    }

    @Test("calls to one peer stay in the order in which they are made, also where they wait for it")
    func order() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let (stream, continuation) = AsyncStream.makeStream(of: [Int].self)
        for number in 0..<500 {
            // By its well-known and by its unique name: two lines, each in its order.
            for name in [peerName, try #require(peer.uniqueName)] {
                var call = BusMethodCall.peer("Echo", [.variant(.int32(Int32(number)))])
                call.destination = name
                try connection.call(call) { result in
                    continuation.yield([name == peerName ? 0 : 1, (try? result.get().first?.integer()) ?? -1])
                }
            }
        }
        var next = [0, 0]
        for await answer in stream.prefix(1000) {
            #expect(answer[1] == next[answer[0]])
            next[answer[0]] += 1
        }
        withExtendedLifetime(export) {}
    }
}
