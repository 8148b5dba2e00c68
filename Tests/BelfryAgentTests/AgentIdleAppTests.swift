import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryDBus
import BelfryRecorder
import BelfrySQLite
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@Suite(
    "Apps that have nothing pending",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentIdleAppTests {
    @Test("Whoever only asks, or removes, leaves nothing behind") func askingMakesNothing() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let center = world.center(AppIdentity(id: "org.example.Nobody"))
            #expect(try await center.pending().isEmpty)
            #expect(try await center.pendingSeries().isEmpty)
            #expect(try await center.nextFireDate() == nil)
            #expect(try await center.delivered().isEmpty)
            #expect(try await center.history().isEmpty)
            #expect(try await center.categories().isEmpty)
            #expect(try await center.quietHours() == nil)
            #expect(try await center.capabilities() == .everything)
            #expect(try await center.authorizationStatus() == .notDetermined)
            try await center.remove("nothing")
            try await center.removeAll()
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/agent"))
            #expect(try await AgentDirectory(world.clientOptions).apps() == [])
        }
    }

    @Test("One that has told its name leaves nothing behind either; with its first request the name is stored")
    func nameIsStoredLater() async throws {
        let world = try await AgentWorld()
        let app = AppIdentity(id: AgentWorld.tea.id, name: "My Tea")
        try await world.agent {
            #expect(try await world.center(app).pending().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/agent"))
            try await world.center(app).add(world.request("tea"))
        }
        try await world.agent {
            try await world.clock.advance(by: .seconds(60))
            #expect(try world.recorder().expectDelivery(of: "tea").app.name == "My Tea")
        }
    }

    @Test("A center that nobody needs is closed, and opened again by who does") func closedWhenIdle() async throws {
        let world = try await AgentWorld()
        // Keeps the agent there.
        try await world.agent {
            try await world.center(AppIdentity(id: "org.example.Busy")).add(world.request("later"))
        }
        let stores = StoreCount()
        var options = world.options(lifetime: .init(idle: .milliseconds(20)))
        options.openStore = stores.counting(options.openStore)
        try await world.agent(options) {
            try await world.center().add(world.request("tea"))
            try await world.center().remove("tea")
            await stores.closed()
            #expect(try await world.center().history().map(\.outcome).contains(.removed))
        }
        #expect(stores.opened == 3)
    }

    @Test("A badge stays until the app removes it, also when its notice is gone", arguments: [false, true])
    func badge(ofNotice: Bool) async throws {
        let world = try await AgentWorld()
        let other = AppIdentity(id: "org.example.Busy")
        // Keeps the agent there.
        try await world.agent { try await world.center(other).add(world.request("later")) }
        let server = ScriptedServer(.minimal, at: world.bus.address)
        try await server.start()
        let dock = try await world.bus.connection()
        try await dock.requestName("com.canonical.Unity")
        let updates = try await dock.signals(
            BusMatch(interface: "com.canonical.Unity.LauncherEntry", member: "Update")
        )
        let stores = StoreCount()
        var options = world.options(lifetime: .init(idle: .milliseconds(20)))
        options.backend = { _ in DBusBackend(bus: .address(world.bus.address)) }
        options.openStore = stores.counting(options.openStore)
        try await world.agent(options) {
            if ofNotice {
                var content = NoticeContent(title: "Mail")
                content.badge = 3
                _ = try await world.center().show(NoticeRequest(id: "mail", content: content))
                try await world.center().removeAllDelivered()
            } else {
                try await world.center().setBadge(3)
            }
            var signals = updates.makeAsyncIterator()
            let update = await signals.next()
            let sender = try #require(update?.sender)
            // The first store to be closed is that of an app without a badge, which has been used later.
            try await world.center(other).remove("later")
            await stores.closed()
            let owners = try await dock.owners(of: sender)
            #expect(try await dock.owner(of: sender) == sender)
            #expect(try await dock.owner(of: AgentNames.agent) != nil)
            try await world.center().setBadge(0)
            for await owner in owners where owner == nil { break }
        }
        await server.stop()
    }

    @Test("More apps than the soft limit of descriptors has room for have their stores open")
    func manyApps() async throws {
        let programs = try await Programs()
        try Self.limitDescriptors(of: programs, by: "ulimit -Sn 64")
        let options = AgentOptions(bus: .address(programs.bus.address), program: "")
        let ids = (1...30).map { "org.example.App\($0)" }
        for id in ids {
            let center = NoticeCenter(app: AppIdentity(id: id), agent: options)
            try await center.add(NoticeRequest(id: "later", title: "Later", trigger: .after(.seconds(3_600))))
        }
        let status = try await AgentDirectory(options).status()
        #expect(status.pending == Dictionary(uniqueKeysWithValues: ids.map { ($0, 1) }))
        try await programs.endAgent()
    }

    @Test("Centers that nobody needs make room where descriptors run out, also while all apps are opened at the start")
    func moreIdleAppsThanDescriptors() async throws {
        let programs = try await Programs()
        // Hard and soft.
        try Self.limitDescriptors(of: programs, by: "ulimit -n 150")
        let options = AgentOptions(bus: .address(programs.bus.address), program: "")
        let centers = (1...20).map { NoticeCenter(app: AppIdentity(id: "org.example.App\($0)"), agent: options) }
        for center in centers {
            try await center.add(NoticeRequest(id: "later", title: "Later", trigger: .after(.seconds(3_600))))
            try await center.remove("later")
        }
        let busy = NoticeCenter(app: AppIdentity(id: "org.example.Busy"), agent: options)
        try await busy.add(NoticeRequest(id: "later", title: "Later", trigger: .after(.seconds(3_600))))
        try await programs.endAgent()
        for center in centers { #expect(try await center.history().map(\.outcome) == [.removed]) }
        let status = try await AgentDirectory(options).status()
        #expect(status.failing == [:] && status.errors == [])
        #expect(try await busy.pending().map(\.id) == ["later"])
        try await programs.endAgent()
    }

    /// Has the bus start the agent with another limit.
    private static func limitDescriptors(of programs: Programs, by command: String) throws {
        try programs.home.write(
            ".local/share/dbus-1/services/org.belfry.Agent1.service",
            "[D-BUS Service]\nName=org.belfry.Agent1\nExec=/bin/sh -c \"\(command); exec \(programs.folder)/belfryd\"\n"
        )
    }
}

/// How many stores were opened, and how many of these are gone.
private final class StoreCount: Sendable {
    private let count = Atomic(0)
    private let (ends, continuation) = AsyncStream.makeStream(of: Void.self)

    var opened: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Returns when one more store is gone.
    func closed() async { for await _ in ends { return } }

    func counting(
        _ open: @escaping @Sendable (String) async throws(NoticeError) -> any RequestStore
    ) -> @Sendable (String) async throws(NoticeError) -> any RequestStore {
        { folder async throws(NoticeError) in
            let store = try await open(folder)
            self.count.add(1, ordering: .sequentiallyConsistent)
            return WatchedStore(store) { self.continuation.yield() }
        }
    }
}

/// A store that tells when it is let go of.
private final class WatchedStore: RequestStore {
    private let store: any RequestStore
    private let gone: @Sendable () -> Void

    init(_ store: any RequestStore, _ gone: @escaping @Sendable () -> Void) {
        self.store = store
        self.gone = gone
    }

    deinit { gone() }

    var outlivesProcess: Bool { store.outlivesProcess }
    func load() async throws(NoticeError) -> StoredState { try await store.load() }
    func commit(_ batch: [StoreChange]) async throws(NoticeError) { try await store.commit(batch) }
    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        try await store.request(revision: revision)
    }
    func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        try await store.requests(revisions: revisions)
    }
    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] { try await store.history(query) }
}
