import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "belfry series, as a program with an agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct SeriesProgramTests {
    private final class Agent: Sendable {
        let bus: BusConnection
        let added: AwaitedState<[NoticeSeries]>
        private let export: BusSubscription

        init(at bus: TestBus) async throws {
            self.bus = try await bus.connection()
            let added = AwaitedState<[NoticeSeries]>([])
            self.added = added
            let app = BusArgument("app", "s")
            let methods = [
                BusMethod(
                    "Register",
                    takes: [app, BusArgument("name", "s"), BusArgument("options", "a{sv}")],
                    atOnce: { _ in [] }
                ),
                BusMethod(
                    "Pending",
                    takes: [app, BusArgument("from", "u")],
                    returns: [BusArgument("notices", "as"), BusArgument("more", "b")],
                    atOnce: { _ in [.strings([]), .boolean(false)] }
                ),
                BusMethod(
                    "AddSeries",
                    takes: [app, BusArgument("series", "s")],
                    returns: [BusArgument("report", "s")],
                    atOnce: { call in
                        let series = try AgentCoding().value(NoticeSeries.self, call.arguments[1].string ?? "")
                        added.withLock { $0.append(series) }
                        return [.string(try AgentCoding().text(NoticeCenter.AddReport(added: ["mail@0"])))]
                    }
                ),
            ]
            let interface = BusInterface(AgentNames.agent, methods: methods)
            export = try await self.bus.export([interface], at: AgentNames.agentPath)
            try await self.bus.requestName(AgentNames.agent)
        }
    }

    @Test("Without --at it begins when the agent adds it, however slowly the agent starts")
    func beginsWhenAdded() async throws {
        let bus = try await TestBus()
        let agent = try await Agent(at: bus)
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let series = ["series", "Mail", "--id", "mail", "--every", "1s", "--times", "3"]
        let outcome = try await BuiltProgram.run(series, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let dated = try await BuiltProgram.run(series + ["--at", "2100-01-01"], environment: environment)
        #expect(dated.status == 0, "\(dated.errors)")
        #expect(agent.added.current.map(\.first) == [nil, Date(timeIntervalSince1970: 4_102_444_800)])
    }
}
