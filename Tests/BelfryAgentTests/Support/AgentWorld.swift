import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTesting
import Foundation
import Synchronization

/// An agent in the test's own process: a private bus, a folder of its own, a recorder for each app, a manual clock.
final class AgentWorld: Sendable {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let tea = AppIdentity(id: "org.example.Tea", name: "Tea")

    let bus: TestBus
    let folder: String
    let clock = ManualTriggerClock(date: AgentWorld.start)
    let prompt = ScriptedPrompt(.allowed)
    private let recorders = Mutex<[String: RecorderBackend]>([:])
    private let reports = Mutex<[String]>([])

    init() async throws {
        bus = try await TestBus()
        folder = NSTemporaryDirectory() + "belfry-agent-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: ownRoot, withIntermediateDirectories: true)
    }

    /// Where the machine is, for all apps of the agent.
    let position = ManualLocationProvider()

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var reported: [String] { reports.withLock { $0 } }
    private var processes: String { folder + "/proc" }
    /// What the agent takes for this process's root; the test may put a sandbox there.
    var ownRoot: String { "\(processes)/\(getpid())/root" }

    /// Where the agent looks for desktop files.
    var dataFolder: String { folder + "/share" }

    /// Everybody who calls is an app in a sandbox from now on.
    func confine(to app: AppIdentity = tea) throws {
        let info = "[Application]\nname=\(app.id)\n"
        try info.write(toFile: ownRoot + "/.flatpak-info", atomically: true, encoding: .utf8)
    }

    func recorder(_ app: AppIdentity = tea) -> RecorderBackend {
        recorders.withLock { all in
            if let found = all[app.id] { return found }
            let made = RecorderBackend()
            all[app.id] = made
            return made
        }
    }

    func options(lifetime: AgentLifetime.Timeouts = .init(idle: .seconds(3600))) -> AgentServiceOptions {
        var options = AgentServiceOptions(
            storage: AgentStorage(path: folder + "/agent"),
            backend: { self.recorder($0) },
            report: { text in self.reports.withLock { $0.append(text) } }
        )
        options.bus = .address(bus.address)
        options.prompt = { _ in self.prompt }
        options.location = { _ in self.position }
        options.makeClock = { self.clock }
        options.lifetime = lifetime
        options.processes = processes
        options.dataFolders = [dataFolder]
        return options
    }

    /// One life of the agent, around `body`.
    @discardableResult
    func agent<Value: Sendable>(
        lifetime: AgentLifetime.Timeouts = .init(idle: .seconds(3600)),
        _ body: () async throws -> Value
    ) async throws -> Value { try await agent(options(lifetime: lifetime), body) }

    /// The agent has its name before it has opened the stores; `body` comes after both, where nothing else is said.
    @discardableResult
    func agent<Value: Sendable>(
        _ options: AgentServiceOptions,
        opened: Bool = true,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let watcher = try await bus.connection()
        let (owners, continuation) = AsyncStream.makeStream(of: String?.self)
        let watch = try await watcher.watchOwner(of: "org.belfry.Agent1") { continuation.yield($0) }
        let service = AgentService(options)
        let running = Task { try await service.run() }
        for await owner in owners where owner != nil { break }
        defer { withExtendedLifetime(watch) {} }
        if opened { for id in options.storage.apps() { _ = try? await center(AppIdentity(id: id)).nextFireDate() } }
        do {
            let value = try await body()
            service.stop()
            _ = try await running.value
            return value
        } catch {
            service.stop()
            _ = await running.result
            throw error
        }
    }

    var clientOptions: AgentOptions { AgentOptions(bus: .address(bus.address), program: "") }

    func center(
        _ app: AppIdentity = tea,
        _ change: (inout AgentOptions) -> Void = { _ in }
    ) -> NoticeCenter {
        var options = clientOptions
        options.clock = clock
        change(&options)
        return NoticeCenter(app: app, agent: options)
    }

    func request(_ id: String, after seconds: Int = 60) -> NoticeRequest {
        NoticeRequest(id: id, title: "Title of \(id)", trigger: .after(.seconds(seconds)))
    }
}

/// What an app's designated handler was given, and what it says to each showing.
final class AppDouble: NoticeCenterDelegate {
    private let responses: AsyncStream<NoticeResponse>
    private let undisplayed: AsyncStream<Delivery>
    private let undisplayedContinuation: AsyncStream<Delivery>.Continuation
    private let continuation: AsyncStream<NoticeResponse>.Continuation
    private let decide: @Sendable (Delivery) -> NoticeCenter.Presentation

    init(_ decide: @escaping @Sendable (Delivery) -> NoticeCenter.Presentation = { _ in .present }) {
        (responses, continuation) = AsyncStream.makeStream(of: NoticeResponse.self)
        (undisplayed, undisplayedContinuation) = AsyncStream.makeStream(of: Delivery.self)
        self.decide = decide
    }

    func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation { decide(delivery) }
    func handle(_ response: NoticeResponse) async { continuation.yield(response) }
    func handleUndisplayed(_ delivery: Delivery) async { undisplayedContinuation.yield(delivery) }

    func nextUndisplayed() async -> Delivery? {
        for await delivery in undisplayed { return delivery }
        return nil
    }

    func next() async -> NoticeResponse? {
        for await response in responses { return response }
        return nil
    }
}
