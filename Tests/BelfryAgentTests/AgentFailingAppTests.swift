import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryRecurrence
import BelfrySQLite
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import BelfryAgentService

@Suite(
    "An app whose center can't run",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentFailingAppTests {
    @Test("Without an alarm nothing is taken that would never fire, and the error is transient; later it is")
    func noAlarm() async throws {
        let world = try await AgentWorld()
        let clock = FailingClock(world.clock)
        var options = world.options()
        options.makeClock = { clock }
        options.retries = BusReconnection(first: .seconds(3600), longest: .seconds(3600))
        try await world.agent(options) {
            clock.hasAlarms.store(false, ordering: .sequentiallyConsistent)
            do throws(NoticeError) {
                try await world.center().add(world.request("tea"))
                Issue.record("a request was taken that can't fire")
            } catch { #expect(error.code == .agentUnavailable && error.isTransient, "\(error)") }
            clock.hasAlarms.store(true, ordering: .sequentiallyConsistent)
            try await world.center().add(world.request("tea"))
            try await world.clock.advance(by: .seconds(60))
            try world.recorder().expectShown("tea")
        }
    }

    @Test("A store that can't be opened at the start is tried again, without anybody's calling")
    func triedAgain() async throws {
        let world = try await AgentWorld()
        try await world.agent { try await world.center().add(world.request("tea")) }
        let (attempts, continuation) = AsyncStream.makeStream(of: Int.self)
        let count = Atomic(0)
        var options = world.options()
        options.retries = BusReconnection(first: .milliseconds(1), longest: .milliseconds(4))
        let open = options.openStore
        options.openStore = { folder async throws(NoticeError) in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            guard number > 3 else { throw NoticeError(.storeInUse, "The store is in use.") }
            let store = try await open(folder)
            continuation.yield(number)
            return store
        }
        try await world.agent(options, opened: false) {
            for await _ in attempts { break }
            #expect(world.reported == ["org.example.Tea: The store is in use."], "once, however often it is tried")
            // A call of anybody waits for the opening that is under way.
            #expect(try await world.center().pending().map(\.id) == ["tea"])
            #expect(count.load(ordering: .sequentiallyConsistent) == 4)
            try await world.clock.advance(by: .seconds(60))
            try world.recorder().expectShown("tea")
        }
    }

    @Test("A running app whose store can't be opened at first is told so, and is connected when it can be")
    func connectedMeanwhile() async throws {
        let world = try await AgentWorld()
        try await world.agent { try await world.center().add(world.request("tea")) }
        let (app, center) = (AppDouble(), world.center())
        await center.setDelegate(app)
        let events = await center.events()
        let running = Task { try await center.run() }
        let isBroken = Atomic(true)
        let (attempts, continuation) = AsyncStream.makeStream(of: Void.self)
        var options = world.options()
        options.retries = BusReconnection(first: .milliseconds(1), longest: .milliseconds(4))
        let open = options.openStore
        options.openStore = { folder async throws(NoticeError) in
            guard !isBroken.load(ordering: .sequentiallyConsistent) else {
                throw NoticeError(.storeFailed, "The disk is full.")
            }
            let store = try await open(folder)
            continuation.yield()
            return store
        }
        try await world.agent(options, opened: false) {
            for await case .error(let error) in events where error.code == .storeFailed { break }
            isBroken.store(false, ordering: .sequentiallyConsistent)
            for await _ in attempts { break }
            // A call of anybody waits for the opening that is under way.
            _ = try await world.center().pending()
            try await world.clock.advance(by: .seconds(60))
            try world.recorder().simulate(.open, on: "tea")
            #expect(await app.next()?.requestID == "tea")
        }
        running.cancel()
        _ = await running.result
    }

    @Test("What the agent reports is found later, by whoever asks the agent or reads the file") func journal()
        async throws
    {
        let world = try await AgentWorld()
        try await world.agent { try await world.center().add(world.request("tea")) }
        let journal = ErrorJournal(path: world.folder + "/errors.jsonl")
        var options = world.options()
        options.journal = journal
        options.openStore = { _ async throws(NoticeError) in throw NoticeError(.storeInUse, "The store is in use.") }
        try await world.agent(options, opened: false) {
            await #expect(throws: NoticeError.self) { try await world.center().pending() }
            let status = try await AgentDirectory(world.clientOptions).status()
            #expect(status.failing["org.example.Tea"]?.code == .storeInUse)
            #expect(status.errors.map(\.message) == ["org.example.Tea: The store is in use."])
            #expect(status.pending == [:])
        }
        #expect(journal.entries().map(\.message) == ["org.example.Tea: The store is in use."])
    }

    @Test("Apps that were being started when the agent crashed are opened last, one at a time") func suspectsLast()
        async throws
    {
        let world = try await AgentWorld()
        let ids = (1...8).map { "org.example.App\($0)" }
        for id in ids {
            try await world.agent { try await world.center(AppIdentity(id: id)).add(world.request("tea")) }
        }
        var options = world.options()
        // Every other one, whatever their order is.
        let suspects = ids.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        for id in suspects {
            StartMark(folder: try options.storage.folder(of: id), bootID: world.clock.bootID).begin(
                at: AgentWorld.start
            )
        }
        let opened = AwaitedState<[String]>([])
        let open = options.openStore
        options.openStore = { folder async throws(NoticeError) in
            opened.withLock { $0.append(String(folder.split(separator: "/").last ?? "")) }
            return try await open(folder)
        }
        try await world.agent(options, opened: false) { await opened.wait { $0.count == ids.count } }
        #expect(Set(opened.current.suffix(suspects.count)) == Set(suspects), "\(opened.current)")
    }

    @Test("The name comes first: a store that takes its time keeps nobody from finding the agent")
    func nameFirst() async throws {
        let world = try await AgentWorld()
        let other = AppIdentity(id: "org.example.Other")
        for app in [AgentWorld.tea, other] {
            try await world.agent { try await world.center(app).add(world.request("tea")) }
        }
        let (gate, held) = AsyncStream.makeStream(of: Void.self)
        var options = world.options()
        let open = options.openStore
        options.openStore = { folder async throws(NoticeError) in
            if folder.hasSuffix(AgentWorld.tea.id) { for await _ in gate { break } }
            return try await open(folder)
        }
        try await world.agent(options, opened: false) {
            let others = try await world.center(other).pending().map(\.id)
            #expect(others == ["tea"])
            held.yield()
            #expect(try await world.center().pending().map(\.id) == ["tea"])
        }
    }
}

/// A clock that has alarms, or has none.
private final class FailingClock: TriggerClock {
    let hasAlarms = Atomic(true)
    private let clock: ManualTriggerClock

    init(_ clock: ManualTriggerClock) { self.clock = clock }

    func now() -> TriggerInstant { clock.now() }
    var bootID: String { clock.bootID }
    var isSynchronized: Bool { clock.isSynchronized }
    func systemZone() -> ZoneRules { clock.systemZone() }

    func makeAlarm() throws(NoticeError) -> any WakeAlarm {
        guard hasAlarms.load(ordering: .sequentiallyConsistent) else {
            throw NoticeError(.systemFailure, "A timer can't be had.")
        }
        return try clock.makeAlarm()
    }
}
