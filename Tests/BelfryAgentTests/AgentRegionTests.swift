import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "Places over the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentRegionTests {
    private static let shop = CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150)

    private func go(_ world: AgentWorld, _ latitude: Double) async throws {
        world.position.report(latitude: latitude, longitude: 11.575, accuracy: 10, date: world.clock.now().date)
        try await world.clock.settle()
    }

    @Test(
        "A place is reached without the app, in another life of the agent, which looked for positions meanwhile alone"
    )
    func withoutTheApp() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                try await center.add(
                    NoticeRequest(id: "milk", title: "Buy milk", trigger: LocationTrigger(region: Self.shop))
                )
                #expect(try await center.pending().map(\.id) == ["milk"])
            }
            try await go(world, 48.2)
            #expect(world.recorder().deliveries.isEmpty)
        }
        try await world.agent {
            // The first use opens the app's store.
            try await world.center().run { center in _ = try await center.pending() }
            try await go(world, 48.1371)
            #expect(world.recorder().deliveries.map(\.requestID) == ["milk"])
            #expect(world.recorder().deliveries.map(\.crossing) == [.entered])
        }
    }

    @Test("A feed's source is the app's code: the agent refuses it by name, and has none") func feed() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                let feed = RegionFeed("stories") { _, _ in [] }
                let error = await #expect(throws: NoticeError.self) { try await center.startMonitoring(feed) }
                #expect(error?.code == .needsEmbeddedEngine && error?.message.contains("'stories'") == true)
                let second = await #expect(throws: NoticeError.self) { try await center.stopMonitoring("stories") }
                #expect(second?.code == .needsEmbeddedEngine)
                let feeds = try await center.monitoredFeeds()
                #expect(feeds.isEmpty)
            }
        }
    }

    @Test("Where the agent has no positions, add says so") func refused() async throws {
        let world = try await AgentWorld()
        var options = world.options()
        options.location = nil
        try await world.agent(options) {
            try await world.center().run { center in
                let error = await #expect(throws: NoticeError.self) {
                    try await center.add(
                        NoticeRequest(id: "milk", title: "Buy milk", trigger: LocationTrigger(region: Self.shop))
                    )
                }
                #expect(error?.code == .locationUnavailable)
            }
        }
    }
}
