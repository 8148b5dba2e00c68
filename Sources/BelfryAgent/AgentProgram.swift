package import Belfry
import BelfryBus
import FoundationEssentials

/// The agent's program, for use where the bus has no service file to start the agent.
package enum AgentProgram {
    package static let name = "belfryd"
    /// The option that the autostart file passes at login.
    package static let atLogin = "--at-login"
    /// The path of the program in a package.
    package static let packaged = "/usr/bin/belfryd"

    /// Returns the given program, or the one beside this program or in `PATH`; nil if there is none.
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

    /// Starts a program that outlives this one and inherits nothing but the environment. Its soft limit of descriptors
    /// is at most `descriptorLimit`.
    package static func startAlone(
        _ arguments: [String],
        adding environment: [String: String] = [:],
        descriptorLimit: UInt64? = nil
    ) throws(NoticeError) {
        let child = try ChildProgram(
            arguments,
            adding: environment,
            inOwnSession: true,
            descriptorLimit: descriptorLimit
        )
        Task(executorPreference: CenterThread.shared) { await child.end() }
    }

    /// Starts the agent in a session of its own, so that it outlives this program and its terminal. Returns its unique
    /// name as soon as it owns its well-known name.
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
