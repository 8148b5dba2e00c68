import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import Testing

@Suite(
    "A center over the agent, or the app's own",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct OverAgentTests {
    /// Whether the app was asked for a center of its own.
    private func isOwn(_ options: AgentOptions) async -> Bool {
        var isOwn = false
        _ = await NoticeCenter.overAgent(app: AgentWorld.tea, options: options) {
            isOwn = true
            return NoticeCenter(app: AgentWorld.tea, backend: RecorderBackend())
        }
        return isOwn
    }

    @Test("An agent that runs is taken") func running() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            #expect(await !isOwn(world.clientOptions))
            let center = try await NoticeCenter.overAgent(app: AgentWorld.tea, options: world.clientOptions) {
                () throws(NoticeError) in throw NoticeError(.unsupported, "There is an agent.")
            }
            try await center.add(world.request("tea"))
            #expect(try await world.center().pending().map(\.id) == ["tea"])
        }
    }

    @Test("One that the bus would start is taken, and not started") func activatable() async throws {
        let folder = try TemporaryFolder()
        let service = "[D-BUS Service]\nName=org.belfry.Agent1\nExec=/bin/false\n"
        _ = try folder.write("org.belfry.Agent1.service", service)
        let bus = try await TestBus(services: folder.path("."))
        #expect(await !isOwn(AgentOptions(bus: .address(bus.address), program: "")))
    }

    @Test("A program that is found is taken; without one, and without a bus, the app makes its own")
    func absent() async throws {
        let bus = try await TestBus()
        #expect(await !isOwn(AgentOptions(bus: .address(bus.address), program: "/bin/false")))
        #expect(await isOwn(AgentOptions(bus: .address(bus.address), program: "")))
        #expect(await isOwn(AgentOptions(bus: .address("unix:path=/nonexistent/bus"), program: "/bin/false")))
    }

    @Test("What the app's own center throws is thrown") func failing() async throws {
        let bus = try await TestBus()
        await #expect(throws: NoticeError(.storeFailed, "The disk is full.")) {
            let options = AgentOptions(bus: .address(bus.address), program: "")
            _ = try await NoticeCenter.overAgent(app: AgentWorld.tea, options: options) { () throws(NoticeError) in
                throw NoticeError(.storeFailed, "The disk is full.")
            }
        }
    }
}
