import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite("Names", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(2)))
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
