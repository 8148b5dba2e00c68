import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "What belfry doctor tells of the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentDoctorTests {
    /// The line about one check, as an object.
    private func finding(_ check: String, _ programs: Programs) async throws -> [String: JSONValue] {
        try #require(try await findings(check, programs).first)
    }

    /// The lines about one check, with an exit status that fits them.
    private func findings(
        _ check: String,
        _ programs: Programs,
        _ arguments: String...,
        status: Int32 = 0
    ) async throws -> [[String: JSONValue]] {
        let lines = try await programs.belfry(["doctor", "--json"] + arguments, status: status).split(separator: "\n")
        return lines.compactMap { (try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)))?.objectValue }
            .filter { $0["check"]?.stringValue == check }
    }

    @Test("not installed, not running; running, with its version, folder and pending; installed") func states()
        async throws
    {
        let programs = try await Programs()
        var found = try await finding("agent", programs)
        #expect(found["presence"] == "found" && found["installed"] == false && found["process"] == nil)
        #expect(found["advice"]?.stringValue?.contains("belfry agent install") == true)
        #expect(try await programs.agentProcess() == nil, "the doctor starts nothing")

        try await programs.belfry(["add", "Tea", "--in", "1h", "--id", "tea"])
        try await programs.belfry(["add", "Cake", "--in", "2h", "--id", "cake"])
        found = try await finding("agent", programs)
        let process = try #require(try await programs.agentProcess())
        #expect(found["presence"] == "running" && found["process"] == .int(Int64(process)))
        #expect(found["version"] == .string(Release.version))
        #expect(found["store"] == .string(programs.home.path + "/.local/state/belfry/agent"))
        #expect(found["pending"] == 2 && found["apps"] == 1)
        let words = try await programs.belfry(["doctor"])
        #expect(words.contains("runs as process \(process), version \(Release.version); 2 requests of 1 app pending"))

        try await programs.belfry(["agent", "install"])
        found = try await finding("agent", programs)
        #expect(found["installed"] == true && found["advice"] == nil)
        try await programs.killAgent()
        found = try await finding("agent", programs)
        #expect(found["presence"] == "activatable" && found["state"] == "ok")
        #expect(found["detail"]?.stringValue?.contains("1 app left something in ") == true)
    }

    @Test("installed with the path of another program it says so") func otherProgram() async throws {
        let programs = try await Programs()
        try await programs.belfry(["agent", "install", "--program", "/bin/true"])
        let found = try await finding("agent", programs)
        #expect(found["installed"] == false)
        #expect(found["detail"]?.stringValue?.contains("other contents") == true)
    }

    @Test("An agent that doesn't reply is damaged; one that replies without a status is an older one, and in order")
    func silent() async throws {
        let programs = try await Programs()
        try await programs.belfry(["add", "Tea", "--in", "1h", "--id", "tea"])
        let process = try #require(try await programs.agentProcess())
        kill(process, SIGSTOP)
        let found = try #require(try await findings("agent", programs, status: 1).first)
        #expect(found["state"] == "damaged" && found["presence"] == "running")
        #expect(found["advice"]?.stringValue?.contains("SIGKILL") == true)
        kill(process, SIGCONT)
        try await programs.killAgent()

        let older = try await programs.bus.connection()
        try await older.requestName("org.belfry.Agent1")
        #expect(try await finding("agent", programs)["state"] == "ok")
    }

    @Test("Damage to a store of the agent's, wherever that keeps its stores, until it is acknowledged") func damage()
        async throws
    {
        let programs = try await Programs()
        try await programs.belfry(["add", "Tea", "--in", "1h", "--id", "tea"])
        try await programs.killAgent()
        let store = try #require(AgentStorage(environment: ["HOME": programs.home.path]).apps().first)
        try programs.home.write(".local/state/belfry/agent/\(store)/store.sqlite", String(repeating: "Z", count: 8_192))
        // Opens it.
        try await programs.belfry(["list"])
        // Another folder than the agent's, so that the agent alone knows.
        let elsewhere = ["XDG_STATE_HOME=\(programs.home.path)/elsewhere", "\(programs.folder)/belfry", "doctor"]
        let words = try await programs.run(elsewhere, status: 1)
        #expect(words.contains("\(store): 1 report of damage to its store in"), "\(words)")
        try await programs.belfry(["doctor", "--acknowledge"], status: 0)
        #expect(try await !programs.run(elsewhere).contains("damage to its store"))
    }

    @Test("systemd there or not") func systemd() async throws {
        let programs = try await Programs()
        #expect(try await finding("systemd", programs)["systemd"] == false)
        let connection = try await programs.bus.connection()
        try await connection.requestName("org.freedesktop.systemd1")
        #expect(try await finding("systemd", programs)["systemd"] == true)
    }

    @Test("What a desktop doesn't find of an app that has used the agent; all that it finds, of an app that is named")
    func identity() async throws {
        let programs = try await Programs()
        // The command line itself needs no desktop file.
        try await programs.belfry(["add", "Tea", "--in", "1h", "--id", "tea"])
        #expect(try await findings("identity", programs).isEmpty)
        try await programs.belfry(["apps", "allow", "org.example.Tea"])
        try await programs.app("ask", "bus")
        let found = try await findings("identity", programs)
        #expect(found.count == 1)
        #expect(found.first?["app"] == "org.example.Tea" && found.first?["part"] == "entry")
        #expect(found.first?["state"] == "absent")
        #expect(found.first?["advice"]?.stringValue?.contains("belfry app install") == true)
        let words = try await programs.belfry(["doctor"])
        #expect(words.contains("identity   -        org.example.Tea, entry: no org.example.Tea.desktop in"))
        // The same without an agent that runs.
        try await programs.killAgent()
        #expect(try await findings("identity", programs).count == 1)

        try await programs.belfry([
            "app", "install", "--id", "org.example.Tea", "--name", "Tea", "--exec", "/bin/true", "--activatable",
        ])
        #expect(try await findings("identity", programs).isEmpty, "it has no icon, and needs none")
        let all = try await findings("identity", programs, "--app", "org.example.Tea")
        #expect(
            all.compactMap { $0["part"]?.stringValue } == ["entry", "name", "icon", "program", "settings", "start"]
        )
        #expect(all.compactMap { $0["state"]?.stringValue } == ["ok", "ok", "absent", "ok", "ok", "ok"])
        let other = try await findings("identity", programs, "--app", "org.example.Coffee", status: 1)
        #expect(other.compactMap { $0["app"]?.stringValue } == ["org.example.Coffee"])
    }
}
