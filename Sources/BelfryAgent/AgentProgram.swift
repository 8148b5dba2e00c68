package import Belfry
import BelfryBus
import BelfryLoop
import FoundationEssentials
import Glibc

/// The agent's program where nothing is installed that the bus could start.
package enum AgentProgram {
    package static let name = "belfryd"
    /// The option with which a login starts it.
    package static let atLogin = "--at-login"
    /// Where a package has it.
    package static let packaged = "/usr/bin/belfryd"

    /// The given one, or the one beside this program or in `PATH`; nil where there is none.
    package static func find(
        _ given: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        if let given { return given.isEmpty ? nil : given }
        var folders: [String] = []
        if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            folders.append(URL(fileURLWithPath: own).deletingLastPathComponent().path)
        }
        folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts a program that outlives this one, with nothing of its parent but the environment.
    package static func startAlone(
        _ arguments: [String],
        adding environment: [String: String] = [:]
    ) throws(NoticeError) {
        let process = try startProgram(arguments, adding: environment, inOwnSession: true)
        // Nobody else waits for it: without this it would stay as a zombie for as long as this program runs.
        startThread(named: "belfry-reaper") {
            var status: Int32 = 0
            while waitpid(process, &status, 0) == -1, errno == EINTR {}
        }
    }

    /// Starts the agent in a session of its own, so that it outlives this program and its terminal, and returns who it
    /// is when it has its name on the bus.
    static func start(
        _ program: String,
        on bus: BusConnection,
        within limit: Duration
    ) async throws(BusError) -> String {
        let owners = try await bus.owners(of: AgentNames.agent)
        do throws(NoticeError) { try startAlone([program]) } catch {
            throw BusError(.noOwner, "The agent '\(program)' can't be started: \(error)")
        }
        let owner = await withTimeout(limit) { () -> String? in
            for await owner in owners { if let owner { return owner } }
            return nil
        }
        guard case .some(.some(let owner)) = owner else {
            throw BusError(.timedOut, "The agent '\(program)' was started and did not come to the bus within \(limit).")
        }
        return owner
    }
}
