import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import Foundation

/// Calls the agent as any program on the bus may, with whatever texts: no code of Belfry's own makes them right before.
struct RawCaller: Sendable {
    let bus: BusConnection
    let app: String

    init(_ world: AgentWorld, app: AppIdentity = AgentWorld.tea) async throws {
        bus = try await world.bus.connection(.init())
        self.app = app.id
    }

    /// The code of the agent's error, or the bus's name of another one; nil where the call was answered.
    @discardableResult
    func call(_ method: String, _ arguments: BusValue...) async -> String? {
        await call(method, of: [.string(app)] + arguments).failure?.code
    }

    func call(
        _ method: String,
        of arguments: [BusValue]
    ) async -> (values: [BusValue], failure: (code: String, message: String)?) {
        var call = BusMethodCall(to: AgentNames.agent, AgentNames.agentPath, AgentNames.agent, method, arguments)
        // A debug build takes seconds to refuse a megabyte, and the machine may be busy.
        call.timeout = .seconds(60)
        do throws(BusError) { return (try await bus.call(call), nil) } catch {
            let name = error.name ?? error.code.rawValue
            let isAgents = name.hasPrefix(AgentNames.errorPrefix)
            return ([], (isAgents ? String(name.dropFirst(AgentNames.errorPrefix.count)) : name, "\(error)"))
        }
    }
}
