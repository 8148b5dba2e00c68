import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Names", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct NameTests {
    @Test("asking for a name: had, in line, refused, taken over, given back")
    func requesting() async throws {
        let bus = try await TestBus()
        let first = try await bus.connection()
        let second = try await bus.connection()
        #expect(try await first.requestName(peerName, .allowReplacement) == .owner)
        #expect(try await first.requestName(peerName, .allowReplacement) == .alreadyOwner)
        #expect(try await second.requestName(peerName, .doNotQueue) == .taken)
        #expect(try await second.requestName(peerName, .replaceExisting) == .owner)
        #expect(try await first.owner(of: peerName) == second.uniqueName)
        try await second.releaseName(peerName)
        // The first was put in line when it was replaced.
        #expect(try await second.owner(of: peerName) == first.uniqueName)
        for name in [":1.5", "nodot", "", "a.b c"] {
            let error = try await failure { try await first.requestName(name) }
            #expect(error.code == .invalidName)
        }
        #expect(try await failure { try await first.requestName("org.freedesktop.DBus") }.code != .invalidName)
    }

    @Test("owners come in order, the present one first")
    func owners() async throws {
        let bus = try await TestBus()
        let watcher = try await bus.connection()
        let first = try await bus.connection()
        let second = try await bus.connection()
        var owners = try await watcher.owners(of: peerName).makeAsyncIterator()
        #expect(await owners.next() == .some(nil))
        try await first.requestName(peerName)
        try await second.requestName(peerName)
        #expect(await owners.next() == first.uniqueName)
        await first.close()
        #expect(await owners.next() == second.uniqueName)
        await second.close()
        #expect(await owners.next() == .some(nil))
    }

    @Test("a watcher knows the present owner at once, and hears nothing once it has been canceled")
    func watching() async throws {
        let bus = try await TestBus()
        let watcher = try await bus.connection()
        let owner = try await bus.connection()
        try await owner.requestName(peerName)
        let early = Mutex<[String?]>([])
        let late = Mutex<[String?]>([])
        let first = try await watcher.watchOwner(of: peerName) { name in early.withLock { $0.append(name) } }
        #expect(early.withLock { $0 } == [owner.uniqueName])
        let second = try await watcher.watchOwner(of: peerName) { name in late.withLock { $0.append(name) } }
        first.cancel()
        try await owner.releaseName(peerName)
        // Answered after the change was announced.
        #expect(try await watcher.owner(of: peerName) == nil)
        #expect(early.withLock { $0 } == [owner.uniqueName])
        #expect(late.withLock { $0 } == [owner.uniqueName, nil])
        withExtendedLifetime(second) {}
    }

    @Test("owners are unknown while the bus is away, and each is told once when it is back")
    func restartedBus() async throws {
        let bus = try await TestBus()
        let watcher = try await bus.connection()
        let owner = try await bus.connection()
        try await owner.requestName(peerName)
        var owners = try await watcher.owners(of: peerName).makeAsyncIterator()
        #expect(await owners.next() == owner.uniqueName)
        bus.kill()
        #expect(await owners.next() == .some(nil))
        try await bus.start()
        let again = try #require(await owners.next())
        #expect(try await watcher.owner(of: peerName) == again)
        try await owner.releaseName(peerName)
        #expect(await owners.next() == .some(nil))
    }

    @Test("a watcher that comes while the bus is coming back knows the present owner at once too")
    func watchingDuringReconnection() async throws {
        let bus = try await TestBus()
        let patient = BusConfiguration(reconnection: BusReconnection(first: .seconds(3600), longest: .seconds(3600)))
        let watcher = try await bus.connection(patient)
        let first = try await watcher.watchOwner(of: peerName) { _ in }
        var states = watcher.states().makeAsyncIterator()
        bus.kill()
        while let state = await states.next() { if case .disconnected = state { break } }
        try await bus.start()
        let owner = try await bus.connection()
        try await owner.requestName(peerName)
        bus.freeze()
        let owners = Mutex<[String?]>([])
        let connecting = Task.immediate { try await watcher.connect() }
        let watching = Task.immediate {
            try await watcher.watchOwner(of: peerName) { name in owners.withLock { $0.append(name) } }
        }
        bus.thaw()
        try await connecting.value
        let second = try await watching.value
        #expect(owners.withLock { $0 } == [owner.uniqueName])
        withExtendedLifetime((first, second)) {}
    }

    @Test("who is behind a name is what the kernel says")
    func credentials() async throws {
        let bus = try await TestBus()
        let connection = try await bus.connection()
        let mine = try await connection.credentials(of: try #require(connection.uniqueName))
        #expect(mine.processID == UInt32(getpid()))
        #expect(mine.userID == getuid())
        let error = try await failure { _ = try await connection.credentials(of: "org.example.Nobody") }
        #expect(error.code == .noOwner)
    }

    @Test("a program that isn't installed can't be started, and the error says so")
    func starting() async throws {
        let bus = try await TestBus()
        let connection = try await bus.connection()
        let error = try await failure { _ = try await connection.startService("org.example.Nobody") }
        #expect(error.code == .noOwner && error.isTransient)
        #expect(try await failure { _ = try await connection.startService(":1.1") }.code == .invalidName)
    }
}
