import BelfryBus
import Foundation

/// A bus of its own that starts the agent when it is called, with a state folder of its own. Ends with ``end()``.
final class AgentBus: Sendable {
    static let agent = "org.belfry.Agent1"

    private let folder: String
    private let daemon: Process
    private let bus: BusConnection
    /// The app that is measured.
    static let app = "org.example.Measure"
    /// Where the agent keeps its apps' stores.
    var stores: String { folder + "/state/belfry/agent" }

    init(_ belfryd: String) throws {
        let folder = try StoreFolders().path
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder + "/services", withIntermediateDirectories: true)
        let service = "[D-BUS Service]\nName=\(Self.agent)\nExec=\"\(belfryd)\"\n"
        try Data(service.utf8).write(to: URL(fileURLWithPath: folder + "/services/\(Self.agent).service"))
        let configuration = """
            <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
            <servicedir>\(folder)/services</servicedir>
            <policy context="default">
            <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
            </policy></busconfig>

            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/bus.conf"))
        let (daemon, address) = try PrivateBus.start(
            "/usr/bin/env",
            ["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "XDG_STATE_HOME": folder + "/state"]
        )
        self.daemon = daemon
        let bus = BusConnection(to: .address(address))
        self.bus = bus
        try waited { try await bus.connect() }
    }

    func end() {
        daemon.terminate()
        daemon.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Seconds from the call that starts the agent to its answer about the app, whose store it has opened then.
    func activate() throws -> Double {
        let bus = bus
        let begun = ContinuousClock.now
        _ = try waited {
            try await bus.call(
                BusMethodCall(
                    to: Self.agent,
                    "/org/belfry/Agent1",
                    Self.agent,
                    "NextFireDate",
                    [.string(Self.app)],
                    expects: "bx",
                    startsService: true
                )
            )
        }
        let time = ContinuousClock.now - begun
        return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    }

    func process() throws -> pid_t {
        let bus = bus
        guard let process = try waited({ try await bus.credentials(of: Self.agent).processID }) else {
            throw BenchmarkFault(description: "the agent has no process")
        }
        return pid_t(process)
    }

    /// Ends the agent in order, or the app's start would count as a crash; returns when the bus knows.
    func kill() throws {
        let (bus, process) = (bus, try process())
        try waited {
            guard let name = try await bus.owner(of: Self.agent) else { return }
            // Of its connection, which it closes last.
            let owners = try await bus.owners(of: name)
            Foundation.kill(process, SIGTERM)
            for await owner in owners where owner == nil { break }
        }
    }
}
