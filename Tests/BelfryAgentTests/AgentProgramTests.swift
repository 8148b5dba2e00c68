import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import Foundation
import Testing

/// The built programs `belfry` and `belfryd` on a bus and in folders of their own.
private final class Programs: Sendable {
    let bus: TestBus
    let server: ScriptedServer
    let home: String
    private let folder: String

    init() async throws {
        bus = try await TestBus()
        server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
        home = NSTemporaryDirectory() + "belfry-home-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        // The programs stand beside the test bundle.
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        folder = (bundle as NSString).deletingLastPathComponent
    }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    private var environment: [String: String] {
        ["HOME": home, "DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    }

    /// Standard output; throws with standard error where the status is another than the expected one.
    @discardableResult
    func belfry(_ arguments: [String], status: Int32 = 0) async throws -> String {
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: folder + "/belfry")
        process.arguments = arguments
        process.environment = environment
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                let words = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                guard process.terminationStatus == status else {
                    let said =
                        "belfry \(arguments.joined(separator: " ")) ended with \(process.terminationStatus): \(words)"
                    return continuation.resume(throwing: NoticeError(.systemFailure, said))
                }
                continuation.resume(returning: text + words)
            }
        }
    }

    /// The agent's process, ended without a farewell; returns when the bus has seen it go.
    func killAgent() async throws {
        let watcher = try await bus.connection()
        let process = try #require(try await watcher.credentials(of: "org.belfry.Agent1").processID)
        let owners = try await watcher.owners(of: "org.belfry.Agent1")
        kill(pid_t(process), SIGKILL)
        for await owner in owners where owner == nil { break }
    }
}

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
        #expect(listed.contains("\"later\"") && listed.contains("\"mail@"))
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

    @Test("install writes three files and tells each; the bus starts the agent from them; uninstall leaves no trace")
    func installed() async throws {
        let programs = try await Programs()
        let before = try FileManager.default.subpathsOfDirectory(atPath: programs.home)
        let told = try await programs.belfry(["agent", "install"])
        for name in ["dbus-1/services/org.belfry.Agent1.service", "systemd/user/belfryd.service", "autostart/"] {
            #expect(told.contains(name))
        }
        #expect(try await programs.belfry(["agent", "status"]).contains("installed"))
        try await programs.belfry(["agent", "uninstall"])
        let files = { (path: String) throws in
            try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        }
        #expect(try files(programs.home) == before)
    }
}
