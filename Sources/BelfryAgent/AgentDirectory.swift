public import Belfry
import BelfryBus

/// A view of the agent for settings pages and the command line, which is not tied to an app.
///
/// ```swift
/// let agent = AgentDirectory()
/// for id in try await agent.apps() {
///     print(id, try await agent.center(of: id).pending().count)
/// }
/// ```
public struct AgentDirectory: Sendable {
    private let client: AgentEngine
    var options: AgentOptions { client.options }

    /// Creates a directory over a connection to the agent's bus.
    public init(_ options: AgentOptions = AgentOptions()) {
        client = AgentEngine(AppIdentity(id: AgentNames.commandLine), options)
    }

    /// The apps that have stored something in the agent, which is started if possible. Throws
    /// ``Belfry/NoticeError/Code/agentUnavailable`` and ``Belfry/NoticeError/Code/noBus`` (both transient).
    public func apps() async throws(NoticeError) -> [String] {
        do throws(BusError) { try await client.connect() } catch { throw NoticeError(agent: error) }
        let reply = try await ask(AgentNames.object(within: options.timeout).call("Apps", expects: "as"))
        return reply.first?.strings ?? []
    }

    /// Returns the center of an app, to query it and to set its permission. It receives none of the app's responses.
    public func center(of app: String) -> NoticeCenter { NoticeCenter(app: AppIdentity(id: app), agent: options) }

    /// The connection, which is made by the first call.
    var bus: BusConnection {
        get async throws(BusError) {
            if case .idle = client.bus.state { try await client.bus.connect() }
            return client.bus
        }
    }

    /// Calls the destination without starting it.
    func ask(_ call: BusMethodCall) async throws(NoticeError) -> [BusValue] {
        do throws(BusError) { return try await bus.call(call) } catch { throw NoticeError(agent: error) }
    }

    func owner(of name: String) async throws(NoticeError) -> String? {
        do throws(BusError) { return try await bus.owner(of: name) } catch { throw NoticeError(agent: error) }
    }

    /// How the agent can be reached.
    public enum Presence: Sendable, Hashable {
        /// It runs, in the process with this id.
        case running(processID: UInt32?)
        /// The bus starts it when it is called.
        case activatable
        /// This program starts it when it is needed.
        case found(program: String)
        /// The agent can't be started; requests can't outlive the programs that make them.
        case absent
    }

    /// Returns how the agent can be reached; starts nothing. Throws ``Belfry/NoticeError/Code/noBus`` without a bus,
    /// and ``Belfry/NoticeError/Code/agentUnavailable`` if the bus doesn't reply (both transient).
    public func presence() async throws(NoticeError) -> Presence {
        if try await owner(of: AgentNames.agent) != nil {
            return .running(processID: try? await client.bus.credentials(of: AgentNames.agent).processID)
        }
        let names = try await ask(BusDriver.call("ListActivatableNames", expects: "as"))
        if names.first?.strings?.contains(AgentNames.agent) == true { return .activatable }
        return AgentProgram.find(options.program).map(Presence.found) ?? .absent
    }
}
