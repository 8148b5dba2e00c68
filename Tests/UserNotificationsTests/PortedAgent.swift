import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation

/// A bus of the test's own, on which an agent may run: with a recorder in place of a server, and a manual clock.
struct PortedAgent {
    let bus: TestBus
    let folder: TemporaryFolder
    let recorder = RecorderBackend()
    let clock = ManualTriggerClock(date: PortedWorld.start, zone: .utc)

    init() async throws {
        bus = try await TestBus()
        folder = try TemporaryFolder()
    }

    /// How an app reaches it: it starts no program.
    var options: AgentOptions { AgentOptions(bus: .address(bus.address), program: "") }

    /// One life of the agent, around `body`.
    func run(_ body: () async throws -> Void) async throws {
        let recorder = recorder
        let clock = clock
        var options = AgentServiceOptions(
            storage: AgentStorage(path: folder.path("agent")),
            backend: { _ in recorder },
            report: { _ in }
        )
        options.bus = .address(bus.address)
        options.makeClock = { clock }
        options.lifetime = .init(idle: .seconds(3_600))
        let (owners, continuation) = AsyncStream.makeStream(of: String?.self)
        let watcher = try await bus.connection()
        let watch = try await watcher.watchOwner(of: "org.belfry.Agent1") { continuation.yield($0) }
        let service = AgentService(options)
        let running = Task { try await service.run() }
        for await owner in owners where owner != nil { break }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        service.stop()
        _ = try await running.value
        withExtendedLifetime((watcher, watch)) {}
        try result.get()
    }
}
