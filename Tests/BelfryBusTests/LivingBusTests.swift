import BelfryBusTestSupport
import BelfryTestSupport
import Synchronization
import Testing

@testable import BelfryBus

/// What a bus refuses for a while must not be lost for good.
@Suite("A living bus that refuses", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct LivingBusTests {
    private let reload = BusDriver.call("ReloadConfig")

    @Test("signals and owners come again after a bus that is back refused their rules at first")
    func restored() async throws {
        let bus = try await TestBus()
        let receiver = try await bus.connection()
        let sender = try await bus.connection()
        try await sender.requestName(peerName)
        let owned = try await receiver.signals(BusMatch(sender: peerName, member: "Owned"))
        let plain = try await receiver.signals(BusMatch(member: "Plain"))
        var states = receiver.states().makeAsyncIterator()
        bus.kill()
        while let state = await states.next() { if case .disconnected = state { break } }
        try bus.setLimits(["max_match_rules_per_connection": 0])
        try await bus.start()
        while let state = await states.next() { if case .connected = state { break } }
        // Answered after the rules were refused.
        _ = try await receiver.owner(of: peerName)
        let other = try await bus.connection()
        try bus.setLimits([:])
        try await other.call(reload)
        let feeder = Task {
            while !Task.isCancelled {
                for member in ["Owned", "Plain"] { try? sender.emit(BusSignal(peerPath, peerName, member)) }
                _ = try await other.owner(of: peerName)
            }
        }
        #expect(await plain.first { _ in true } != nil)
        #expect(await owned.first { _ in true } != nil)
        feeder.cancel()
    }

    @Test("a bus that is back and forbids to ask for an owner ends what needs it, and nothing else")
    func ownersForbidden() async throws {
        let bus = try await TestBus()
        let receiver = try await bus.connection()
        let sender = try await bus.connection()
        let owned = try await receiver.signals(BusMatch(sender: peerName, member: "Owned"))
        let unicast = try await receiver.signals(BusMatch(sender: peerName, member: "Private"), addsRule: false)
        let plain = try await receiver.signals(BusMatch(member: "Plain"))
        var states = receiver.states().makeAsyncIterator()
        bus.kill()
        while let state = await states.next() { if case .disconnected = state { break } }
        try bus.setLimits([:], denying: ["GetNameOwner"])
        try await bus.start()
        while let state = await states.next() { if case .connected = state { break } }
        for signals in [owned, unicast] { #expect(await signals.first { _ in true } == nil) }
        var ways = sender.states().makeAsyncIterator()
        while let state = await ways.next() { if case .connected = state { break } }
        try sender.emit(BusSignal(peerPath, peerName, "Plain"))
        #expect(await plain.first { _ in true } != nil)
    }

    @Test("if the bus refuses one of the things to listen to, none of the others is kept on the bus")
    func oneOfSeveralRefused() async throws {
        // One rule less than the three names need.
        let bus = try await TestBus(limits: ["max_match_rules_per_connection": 2])
        let connection = try await bus.connection()
        let sender = try await bus.connection()
        let names = (1...3).map { "org.example.Listened\($0)" }
        let heard = Mutex<[String]>([])
        func listeners(_ names: some Sequence<String>) -> [BusListener] {
            names.map { name in .owner(of: name) { owner in if owner != nil { heard.withLock { $0.append(name) } } } }
        }
        let error = await #expect(throws: BusError.self) {
            _ = try await connection.subscribe(listeners(names))
        }
        #expect(error?.code == .limitsExceeded)
        for name in names { try await sender.requestName(name) }
        // There is room for two others only if the rules of the first two were taken back.
        let kept = try await connection.subscribe(listeners(names.dropFirst()))
        #expect(heard.withLock { $0 } == ["org.example.Listened2", "org.example.Listened3"])
        kept.cancel()
    }

    @Test("a bus that drops the connection as soon as it is there is tried ever more rarely")
    func dropped() async throws {
        let bus = try await TestBus()
        let reconnection = BusReconnection(first: .milliseconds(10), longest: .seconds(3600))
        let connection = try await bus.connection(BusConfiguration(reconnection: reconnection))
        var states = connection.states().makeAsyncIterator()
        var delays: [Duration] = []
        for _ in 1...4 {
            bus.kill()
            while let state = await states.next() {
                guard case .disconnected(_, let delay) = state else { continue }
                delays.append(delay)
                break
            }
            try await bus.start()
            while let state = await states.next() { if case .connected = state { break } }
        }
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 < $1 }, "\(delays)")
    }

    @Test("a name that another has taken meanwhile is told of, once, and not asked for again")
    func takenName() async throws {
        let bus = try await TestBus()
        let patient = BusConfiguration(reconnection: BusReconnection(first: .seconds(3600), longest: .seconds(3600)))
        let first = try await bus.connection(patient)
        let (losses, continuation) = AsyncStream.makeStream(of: BusError.self)
        #expect(try await first.requestName(peerName, .doNotQueue) { continuation.yield($0) } == .owner)
        #expect(try await first.requestName("org.example.Kept", .doNotQueue) { continuation.yield($0) } == .owner)
        var states = first.states().makeAsyncIterator()
        bus.kill()
        while let state = await states.next() { if case .disconnected = state { break } }
        try await bus.start()
        let second = try await bus.connection()
        #expect(try await second.requestName(peerName, .doNotQueue) == .owner)
        try await first.connect()
        let loss = try #require(await losses.first { _ in true })
        #expect(loss.code == .accessDenied && loss.message.contains(peerName))
        #expect(try await second.owner(of: "org.example.Kept") == first.uniqueName)
        #expect(try await second.owner(of: peerName) == second.uniqueName)
    }

    @Test("a name that is given back before the bus has answered the request stays given back")
    func releasedEarly() async throws {
        let bus = try await TestBus()
        let connection = try await bus.connection()
        bus.freeze()
        let request = Task.immediate { try await connection.requestName(peerName) }
        let release = Task.immediate { try await connection.releaseName(peerName) }
        bus.thaw()
        _ = try await (request.value, release.value)
        #expect(try await connection.owner(of: peerName) == nil)
        var states = connection.states().makeAsyncIterator()
        bus.kill()
        while let state = await states.next() { if case .disconnected = state { break } }
        try await bus.start()
        while let state = await states.next() { if case .connected = state { break } }
        #expect(try await connection.owner(of: peerName) == nil)
    }

    @Test("a bus that drops us again and again is tried more and more slowly")
    func pauses() async throws {
        let bus = try await TestBus()
        let first = Duration.milliseconds(20)
        let connection = try await bus.connection(
            BusConfiguration(reconnection: BusReconnection(first: first, longest: .seconds(60)))
        )
        var states = connection.states().makeAsyncIterator()
        for round in 0..<3 {
            bus.kill()
            var pause = Duration.zero
            while let state = await states.next() {
                if case .disconnected(_, let retry) = state {
                    pause = retry
                    break
                }
            }
            #expect(pause >= first * (1 << round))
            try await bus.start()
            while let state = await states.next() { if case .connected = state { break } }
        }
    }
}
