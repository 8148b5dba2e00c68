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
    .timeLimit(.minutes(1)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentDoctorTests {
    /// The line about one check, as an object.
    private func finding(_ check: String, _ programs: Programs) async throws -> [String: JSONValue] {
        let lines = try await programs.belfry(["doctor", "--json"]).split(separator: "\n")
        let objects = lines.compactMap { line in
            (try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8)))?.objectValue
        }
        return try #require(objects.first { $0["check"]?.stringValue == check })
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

    @Test("Damage to a store of the agent's, wherever that keeps its stores, until it is acknowledged") func damage()
        async throws
    {
        let programs = try await Programs()
        try await programs.belfry(["add", "Tea", "--in", "1h", "--id", "tea"])
        try await programs.killAgent()
        let store = try #require(AgentPlace(environment: ["HOME": programs.home.path]).apps().first)
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
}
