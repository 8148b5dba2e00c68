import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "belfry and belfryd, as programs",
    .takesTurns,
    .timeLimit(.minutes(5)),
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
        let released = try await programs.belfry(["apps", "release", "org.example.Loud"], status: 1)
        #expect(released.contains("is not in quarantine: 'belfry apps' shows which apps are"), "\(released)")
        try await programs.belfry(["apps", "allow", "org.example.Loud"])
        try await center.add(NoticeRequest(id: "x", title: "Allowed"))
        #expect(await programs.server.call(titled: "Allowed") != nil)
        try await programs.killAgent()
    }

    @Test("an app whose store can't be opened is listed with its error, and the others as ever")
    func brokenApp() async throws {
        let programs = try await Programs()
        try await programs.belfry(["apps", "allow", "org.example.Whole"])
        let broken = programs.home.path + "/.local/state/belfry/agent/org.example.Broken/store.sqlite"
        try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: true)
        let listed = try await programs.belfry(["apps"], status: 1)
        #expect(listed.contains("org.example.Broken: ") && listed.contains("org.example.Whole: may show notices"))
        let json = try await programs.belfry(["apps", "--json"], status: 1)
        #expect(json.contains(#"{"id":"org.example.Broken","error":{"code":"#))
        #expect(json.contains(#""id":"org.example.Whole","authorization":"authorized""#))
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

    @Test("a schedule file is imported into the agent, previewed and taken again")
    func imported() async throws {
        let programs = try await Programs()
        let file = programs.home.path + "/schedule.json"
        func write(_ notices: String...) throws {
            try programs.home.write("schedule.json", #"{"version":1,"notices":[\#(notices.joined(separator: ","))]}"#)
        }
        let stretch = #"{"id":"stretch","title":"Stretch","trigger":{"every":"1h"}}"#
        try write(stretch, #"{"id":"tea","title":"Tea","trigger":{"in":"3h"}}"#)
        let first = try await programs.belfry(["import", file])
        #expect(first.contains("added     stretch") && first.contains("added     tea"), "\(first)")
        let preview = try await programs.belfry(["preview", "--json", "--limit", "4"])
        let shown = preview.split(separator: "\n").filter { $0.contains(#""id":"stretch""#) }
        #expect(shown.count == 3 && preview.contains(#""id":"tea""#), "\(preview)")
        try write(stretch, #"{"id":"soup","title":"Soup","trigger":{"in":"100ms"}}"#)
        let second = try await programs.belfry(["import", file])
        #expect(second.contains("added     soup") && second.contains("removed   tea"), "\(second)")
        #expect(!second.contains("stretch"), "\(second)")
        #expect(await programs.server.call(titled: "Soup") != nil)
        try await programs.belfry(["add", "Mail", "--id", "mail", "--every", "1h", "--until-answered"])
        let kept = NoticeCenter(
            app: AppIdentity(id: AgentNames.commandLine),
            agent: AgentOptions(bus: .address(programs.bus.address), program: "")
        )
        let ending = try await kept.pending().filter(\.request.endsWhenAnswered).map(\.id)
        #expect(ending == ["mail"])
        try await programs.killAgent()
    }

    @Test("quiet hours are those of the app that is named, and the app reads the same")
    func quietHours() async throws {
        let programs = try await Programs()
        try await programs.belfry(["quiet-hours", "22:00..07:00", "--on", "Sat,Sun", "--app", "org.example.Tea"])
        let told = try await programs.belfry(["quiet-hours", "--app", "org.example.Tea"])
        #expect(told == "22:00..07:00 on Sat, Sun: notices wait\n")
        #expect(try await programs.belfry(["quiet-hours"]) == "no quiet hours\n")
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Tea"),
            agent: AgentOptions(bus: .address(programs.bus.address), program: "")
        )
        let hours = QuietHours([QuietHours.Period(from: "22:00", to: "07:00", on: [.sunday, .saturday])])
        #expect(try await center.quietHours() == hours)
        try await programs.belfry(["quiet-hours", "off", "--app", "org.example.Tea"])
        #expect(try await center.quietHours() == nil)
        try await programs.killAgent()
    }
}
