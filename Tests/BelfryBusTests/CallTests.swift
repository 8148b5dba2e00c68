import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Dispatch
import Synchronization
import Testing

@Suite("Calls", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct CallTests {
    @Test("5,000 calls at once are all answered, and no limit of a strict bus is met")
    func pipelined() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<5_000 {
                group.addTask {
                    try await connection.call(.peer("Echo", [.variant(.int32(Int32(number)))])).first?.integer() ?? -1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 5_000 * 4_999 / 2)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("calls are sent in the order in which they are made, and answered in it by one peer")
    func order() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<2000 {
            try connection.call(.peer("Echo", [.variant(.int32(Int32(number)))])) { result in
                continuation.yield((try? result.get().first?.integer()) ?? -1)
                if number == 1999 { continuation.finish() }
            }
        }
        var next = 0
        for await number in stream {
            #expect(number == next)
            next += 1
        }
        #expect(next == 2000)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a peer that never answers costs its caller the time limit and no more")
    func timeLimit() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let start = ContinuousClock.now
        let error = try await failure { try await connection.call(.peer("Never", timeout: .milliseconds(80))) }
        #expect(error.code == .timedOut && error.isTransient)
        #expect(start.duration(to: .now) >= .milliseconds(80))
        let none = try await failure { try await connection.call(.peer("Never", timeout: .seconds(-1))) }
        #expect(none.code == .timedOut)
        #expect(try await connection.call(.peer("Echo", [.variant(.byte(1))])) == [.variant(.byte(1))])
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a peer that owes too many answers is asked nothing more; others are served")
    func overduePeer() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let codes = try await withThrowingTaskGroup(of: BusError.Code.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await failure { try await connection.call(.peer("Never", timeout: .milliseconds(150))) }.code
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(codes.isSubset(of: [.timedOut, .peerOverdue]))
        let refused = try await failure { try await connection.call(.peer("Echo", [.variant(.byte(1))])) }
        #expect(refused.code == .peerOverdue && refused.isTransient)
        #expect(try await connection.owner(of: peerName) == peer.uniqueName)
        // Gone, the bus answers in its place, and what it owed is forgotten.
        await peer.close()
        var owners = try await connection.owners(of: peerName).makeAsyncIterator()
        while let owner = await owners.next(), owner != nil {}
        let (other, otherExport) = try await makePeer(bus)
        #expect(try await connection.call(.peer("Echo", [.variant(.byte(1))])) == [.variant(.byte(1))])
        withExtendedLifetime((other, otherExport, export)) {}
    }

    @Test("a canceled task gets its error at once, before, in line and on the way")
    func cancelled() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let calls = (0..<40).map { _ in
            Task { try await failure { try await connection.call(.peer("Never")) }.code }
        }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await failure { try await connection.call(.peer("Never")) }.code
        }
        #expect(try await early.value == .cancelled)
        for call in calls { call.cancel() }
        for call in calls { #expect(try await call.value == .cancelled) }
        // Who gave up is no sign of a peer that hangs, while it owes less than half of what the bus lets us wait for.
        #expect(try await connection.call(.peer("Echo", [.variant(.byte(1))])) == [.variant(.byte(1))])
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a peer that goes away in the middle of a call is an error at once")
    func peerGone() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let (answers, answer) = AsyncStream.makeStream(of: Result<[BusValue], BusError>.self)
        try connection.call(.peer("Never")) { answer.yield($0) }
        // The peer serves in order: after this answer it has the other call.
        try await connection.call(.peer("Echo", [.variant(.byte(1))]))
        await peer.close()
        let error = try await failure { _ = try await answers.first { _ in true }?.get() }
        #expect(error.code == .noReply && error.isTransient)
        #expect(error.name?.hasPrefix("org.freedesktop.DBus.Error.") == true)
        withExtendedLifetime(export) {}
    }

    @Test("errors keep their names: nobody there, no such thing, the peer's own, the wrong answer")
    func errors() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        var nobody = BusMethodCall.peer("Echo")
        nobody.destination = "org.example.Nobody"
        let absent = try await failure { try await connection.call(nobody) }
        #expect(
            absent.code == .noOwner && absent.isTransient
                && absent.name?.hasPrefix("org.freedesktop.DBus.Error.") == true
        )
        let unknown = try await failure { try await connection.call(.peer("Nothing")) }
        #expect(unknown.code == .unknownMember && !unknown.isTransient)
        let sad = try await failure { try await connection.call(.peer("Fail")) }
        #expect(sad.code == .remoteError && sad.name == "org.example.Error.Sad" && sad.cause == "so sad")
        let other = try await failure { try await connection.call(.peer("Echo", [.variant(.byte(1))], expects: "s")) }
        #expect(other.code == .unexpectedReply)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("a call without an answer arrives, and a message over the limit is refused without harm")
    func withoutAnswer() async throws {
        let bus = try await TestBus()
        let peer = try await bus.connection()
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let method = BusMethod(
            "Tell",
            atOnce: { call in
                continuation.yield(call.expectsReply); return []
            }
        )
        let export = try await peer.export([BusInterface(peerName, methods: [method])], at: peerPath)
        try await peer.requestName(peerName)
        var small = BusConfiguration.quick
        small.messageLimit = 10_000
        let connection = try await bus.connection(small)
        try connection.send(.peer("Tell"))
        #expect(await stream.first { _ in true } == false)
        let error = try await failure {
            try connection.send(.peer("Tell", [.bytes([UInt8](repeating: 0, count: 10_000))]))
        }
        #expect(error.code == .tooLarge)
        #expect(connection.uniqueName != nil)
        withExtendedLifetime((peer, export)) {}
    }

    @Test("what waits for the bus is bounded, also while it moves from one queue into the next")
    func outgoingLimit() async throws {
        let bus = try await TestBus()
        var configuration = BusConfiguration.quick
        configuration.outgoingLimit = 4 << 20
        let connection = try await bus.connection(configuration)
        bus.freeze()
        let length = 32 << 10
        let signal = BusSignal(peerPath, peerName, "Block", [.bytes([UInt8](repeating: 7, count: length))])
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<2000).reduce(0) { count, _ in (try? connection.emit(signal)) == nil ? count : count + 1 }
                }
            }
            return await group.reduce(0, +)
        }
        // The socket's own buffer holds some of it.
        #expect(taken * length <= (4 << 20) + (1 << 20))
        bus.thaw()
    }

    @Test("a bus that takes nothing blocks nobody: signals are refused beyond the limit, calls time out")
    func stalledBus() async throws {
        let bus = try await TestBus()
        var configuration = BusConfiguration.quick
        configuration.outgoingLimit = 4 << 20
        let connection = try await bus.connection(configuration)
        bus.freeze()
        let signal = BusSignal(peerPath, peerName, "Block", [.bytes([UInt8](repeating: 7, count: 1 << 20))])
        let refused = try await failure { for _ in 0..<20 { try connection.emit(signal) } }
        #expect(refused.code == .outgoingFull && refused.isTransient)
        let late = try await failure { try await connection.call(.peer("Echo", timeout: .milliseconds(50))) }
        #expect(late.code == .timedOut)
        bus.thaw()
        // All that was taken in is sent now, and the bus is served again.
        #expect(try await connection.owner(of: "org.freedesktop.DBus") == "org.freedesktop.DBus")
        try connection.emit(signal)
    }
}
