import Belfry
import BelfryAgent
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Testing

@Suite(
    "The name under which a notice speaks",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AppNameTests {
    @Test("is its own where it has one, else the app's; the identifier stays", arguments: ["embedded", "agent"])
    func appName(_ engine: String) async throws {
        let world = try await AgentWorld()
        let body: @Sendable (NoticeCenter) async throws -> Void = { center in
            for (number, name) in [nil, "Backup", "", "\u{1B}[2JBackup"].enumerated() {
                var request = NoticeRequest(id: "\(number)", title: "Done")
                request.content.desktop.appName = name
                _ = try await center.show(request)
            }
            let apps = world.recorder().deliveries.map(\.app)
            #expect(apps.map(\.name) == ["Tea", "Backup", "Tea", "[2JBackup"])
            #expect(Set(apps.map(\.id)) == ["org.example.Tea"])
        }
        if engine == "agent" {
            try await world.agent { try await world.center().run(body) }
        } else {
            let center = NoticeCenter(app: AgentWorld.tea, backend: world.recorder(), clock: .manual(world.clock))
            try await center.run(body)
        }
    }

    @Test("is known to the agent from an app that only makes calls, and its newest icon too") func ofCallers()
        async throws
    {
        let world = try await AgentWorld()
        let id = AgentWorld.tea.id
        try await world.agent {
            for icon in ["old", "new"] {
                let app = AppIdentity(id: id, name: "Tea with \(icon)", icon: .named(icon))
                #expect(try await world.center(app).pending().isEmpty)
            }
            _ = try await world.center(AppIdentity(id: id, name: "My Tea")).show(NoticeRequest(id: "x", title: "X"))
            let delivery = try world.recorder().expectDelivery(of: "x")
            #expect(delivery.app.name == "My Tea" && delivery.content.icon == .named("new"))
        }
    }
}
