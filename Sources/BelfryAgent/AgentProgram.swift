import Belfry
import BelfryBus
import FoundationEssentials

/// The agent's program where nothing is installed that the bus could start.
package enum AgentProgram {
    package static let name = "belfryd"

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

    /// Starts it in a session of its own, so that it outlives this program and its terminal, and returns who it is when it
    /// has its name on the bus.
    static func start(
        _ program: String,
        on bus: BusConnection,
        within limit: Duration
    ) async throws(BusError) -> String {
        let owners = try await bus.owners(of: AgentNames.agent)
        do throws(NoticeError) { try DetachedProcess.start([program]) } catch {
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
