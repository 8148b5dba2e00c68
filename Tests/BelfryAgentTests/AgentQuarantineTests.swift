import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "An app that crashes the agent as it starts",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentQuarantineTests {
    private static let bad = "org.example.Bad"
    private static let good = ["org.example.Able", "org.example.Good"]

    @Test("After two crashes in a row it is left out, the others go on, and the user has it tried again")
    func quarantined() async throws {
        let programs = try await Programs()
        let list = programs.home.path + "/crashing"
        try programs.home.write("crashing", "")
        try programs.home.write("crashing.crashes", "")
        try programs.home.write(
            ".local/share/dbus-1/services/org.belfry.Agent1.service",
            "[D-BUS Service]\nName=org.belfry.Agent1\nExec=\(programs.folder)/AgentTestApp serve \(list)\n"
        )
        let options = AgentOptions(bus: .address(programs.bus.address), program: "")
        for app in Self.good + [Self.bad] {
            let center = NoticeCenter(app: AppIdentity(id: app), agent: options)
            try await center.setAuthorization(.authorized)
            try await center.add(NoticeRequest(id: "later", title: "Later", trigger: .after(.seconds(3_600))))
        }
        try await programs.endAgent()

        try programs.home.write("crashing", Self.bad + "\n")
        let watcher = try await programs.bus.connection()
        var owners = try await watcher.owners(of: AgentNames.agent).makeAsyncIterator()
        #expect(await owners.next() == .some(nil))
        for _ in 1...2 {
            _ = try? await watcher.startService(AgentNames.agent)
            #expect(await owners.next() != .some(nil))
            #expect(await owners.next() == .some(nil), "it has crashed")
        }
        #expect(try programs.home.read("crashing.crashes") == "\(Self.bad)\n\(Self.bad)\n")

        // The third start leaves it out; what is the others' is there.
        for app in Self.good {
            let center = NoticeCenter(app: AppIdentity(id: app), agent: options)
            #expect(try await center.pending().map(\.id) == ["later"])
        }
        let center = NoticeCenter(app: AppIdentity(id: Self.bad), agent: options)
        do throws(NoticeError) {
            try await center.add(NoticeRequest(id: "more", title: "More", trigger: .after(.seconds(60))))
            Issue.record("an app that is not run was let in")
        } catch {
            #expect(error.code == .appQuarantined)
            #expect(error.message.contains("belfry apps release \(Self.bad)"))
        }
        #expect(try await AgentDirectory(options).status().quarantined == [Self.bad])
        #expect(try await programs.belfry(["apps"]).contains("\(Self.bad): quarantined"))
        #expect(try programs.home.read("crashing.crashes") == "\(Self.bad)\n\(Self.bad)\n")

        // The doctor names it also while no agent runs, and starts none.
        try await programs.endAgent()
        #expect(try await programs.belfry(["doctor"], status: 1).contains("\(Self.bad): quarantined"))
        #expect(try await programs.agentProcess() == nil)

        // Whoever has mended the cause has it tried again; nothing was lost. The agent need not run for that.
        try programs.home.write("crashing", "")
        try await programs.belfry(["apps", "release", Self.bad])
        #expect(try await center.pending().map(\.id) == ["later"])
        #expect(try await AgentDirectory(options).status().quarantined == [])
        try await programs.endAgent()
    }

    @Test("An app that is not in quarantine is not released, and no agent is started for that")
    func notQuarantined() async throws {
        let programs = try await Programs()
        let app = Self.good[0]
        try await programs.belfry(["apps", "allow", app])
        try await programs.endAgent()
        let refused = try await programs.belfry(["apps", "release", app], status: 1)
        #expect(refused.contains("'\(app)' is not in quarantine: 'belfry apps' shows which apps are"), "\(refused)")
        #expect(try await programs.agentProcess() == nil)
    }

    @Test("SIGTERM ends the agent in order: a question is taken down, and the next agent has the store at once")
    func orderlyEnd() async throws {
        let programs = try await Programs()
        try await programs.belfry(["list"])
        let options = AgentOptions(bus: .address(programs.bus.address), program: "")
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea", name: "Tea"), agent: options)
        async let answer = center.requestAuthorization()
        let question = try #require(await programs.server.call { $0.title.contains("Tea") })
        #expect(programs.server.standing == [question.id])
        try await programs.endAgent()
        #expect(programs.server.standing == [])
        _ = try? await answer
        try await programs.belfry(["list"])
        try await programs.endAgent()
    }
}
