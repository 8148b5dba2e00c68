import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import Testing

@Suite(
    "belfry and belfryd, as programs",
    .timeLimit(.minutes(2)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentProgramTests {
    @Test("a request is shown when the command that made it has long ended")
    func shown() async throws {
        let programs = try await Programs()
        let said = try await programs.belfry(["add", "Tea is ready", "--in", "100ms", "--id", "tea"])
        #expect(said.contains("the agent keeps it"))
        #expect(await programs.server.call(titled: "Tea is ready") != nil)
        try await programs.killAgent()
    }

    @Test("after kill -9 of the agent everything pending is there; what was due meanwhile is shown, once")
    func killed() async throws {
        let programs = try await Programs()
        try await programs.belfry(["add", "Soon", "--in", "1500ms", "--id", "soon"])
        try await programs.belfry(["add", "Later", "--in", "3h", "--id", "later"])
        try await programs.belfry([
            "series", "Mail", "--every", "1h", "--times", "3", "--at", "2100-01-01", "--id", "mail",
        ])
        try await programs.killAgent()
        // The next use brings it back.
        let listed = try await programs.belfry(["list", "--json"])
        #expect(listed.contains("\"later\"") && listed.contains("\"mail\""))
        #expect(await programs.server.call(titled: "Soon") != nil)
        try await programs.belfry(["remove", "later"])
        try await programs.belfry(["remove", "mail"])
        #expect(try await programs.belfry(["list", "--quiet"]).contains("later") == false)
        let history = try await programs.belfry(["history", "--json", "--id", "soon"])
        #expect(history.contains("\"delivered\""))
        #expect(programs.server.calls.filter { $0.title == "Soon" }.count == 1)
        try await programs.killAgent()
    }

    @Test("the person allows and denies apps; a denied one hears so")
    func apps() async throws {
        let programs = try await Programs()
        try await programs.belfry(["apps", "deny", "org.example.Loud"])
        #expect(
            try await programs.belfry(["apps", "--json"]).contains(#""id":"org.example.Loud","authorization":"denied""#)
        )
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Loud"),
            agent: AgentOptions(bus: .address(programs.bus.address), program: "")
        )
        do throws(NoticeError) {
            try await center.add(NoticeRequest(id: "x", title: "x"))
            Issue.record("a denied app was let in")
        } catch { #expect(error.code == .notAuthorized) }
        try await programs.belfry(["apps", "allow", "org.example.Loud"])
        try await center.add(NoticeRequest(id: "x", title: "Allowed"))
        #expect(await programs.server.call(titled: "Allowed") != nil)
        try await programs.killAgent()
    }

    @Test("an app is asked about by a popup, and what the person presses is kept")
    func asked() async throws {
        let programs = try await Programs()
        try await programs.belfry(["list"])
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Tea", name: "Tea"),
            agent: AgentOptions(bus: .address(programs.bus.address), program: "")
        )
        async let answer = center.requestAuthorization()
        let question = try #require(await programs.server.call { $0.title.contains("Tea") })
        #expect(question.actions.contains("Allow"))
        programs.server.press(question.id, "allow")
        #expect(try await answer == .authorized)
        #expect(try await center.authorizationStatus() == .authorized)
        try await programs.killAgent()
    }
}
