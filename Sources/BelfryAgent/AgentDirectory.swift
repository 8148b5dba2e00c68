public import Belfry
import BelfryBus

/// The agent seen from outside of any app: for settings pages and the command line.
public struct AgentDirectory: Sendable {
    private let client: AgentEngine
    let options: AgentOptions

    /// Creates a directory over a connection to the agent's bus.
    public init(_ options: AgentOptions = AgentOptions()) {
        self.options = options
        client = AgentEngine(AppIdentity(id: AgentNames.commandLine), options)
    }

    /// The apps that have left something with the agent, which is started where it can be. Throws
    /// ``Belfry/NoticeError/Code/agentUnavailable`` (transient) and ``Belfry/NoticeError/Code/noBus``.
    public func apps() async throws(NoticeError) -> [String] { try await client.apps() }

    /// The center of one of them, to ask and to set its permission. It takes nothing that is the app's.
    public func center(of app: String) -> NoticeCenter { NoticeCenter(app: AppIdentity(id: app), agent: options) }

    /// Calls whoever is named, and starts nobody.
    func ask(_ call: BusMethodCall) async throws(BusError) -> [BusValue] {
        if case .idle = client.bus.state { try await client.bus.connect() }
        return try await client.bus.call(call)
    }

    func owner(of name: String) async throws(NoticeError) -> String? {
        do throws(BusError) {
            if case .idle = client.bus.state { try await client.bus.connect() }
            return try await client.bus.owner(of: name)
        } catch { throw NoticeError(agent: error) }
    }

    /// How the agent can be reached.
    public enum Presence: Sendable, Hashable {
        /// It runs, in this process.
        case running(processID: UInt32?)
        /// The bus starts it when it is called.
        case activatable
        /// This program starts it when it is needed.
        case found(program: String)
        /// Requests can't outlive the programs that make them.
        case absent
    }

    /// Looks, and starts nothing. Throws ``Belfry/NoticeError/Code/noBus`` where there is no session bus.
    public func presence() async throws(NoticeError) -> Presence {
        if try await owner(of: AgentNames.agent) != nil {
            return .running(processID: try? await client.bus.credentials(of: AgentNames.agent).processID)
        }
        let names: [BusValue]
        do throws(BusError) {
            names = try await ask(BusDriver.call("ListActivatableNames", expects: "as"))
        } catch { throw NoticeError(agent: error) }
        if names.first?.strings?.contains(AgentNames.agent) == true { return .activatable }
        return AgentProgram.find(options.program).map(Presence.found) ?? .absent
    }
}
