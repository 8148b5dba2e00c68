import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import Foundation
import Testing

/// Speaks as the agent to one app. What is pending it lists, and what is to be shown it shows, only when the test says
/// so, and it registers the app only then where `holdsRegistrations`.
final class AgentDouble: Sendable {
    struct Registration: Sendable {
        let app: String
        let options: BusValue
        let reply: BusReply

        var receives: Bool { options[RegistrationKey.receives]?.boolean ?? false }
        var events: Bool { options[RegistrationKey.events]?.boolean ?? false }
    }

    let bus: BusConnection
    let registrations = AwaitedState<[Registration]>([])
    let lists = AwaitedState<[BusReply]>([])
    let shows = AwaitedState<[BusReply]>([])
    let holdsRegistrations: AwaitedState<Bool>
    private let export: BusSubscription

    init(_ world: AgentWorld, holdsRegistrations: Bool = false) async throws {
        bus = try await world.bus.connection()
        let holds = AwaitedState(holdsRegistrations)
        self.holdsRegistrations = holds
        let pending = BusMethod(
            "Pending",
            takes: [BusArgument("app", "s"), BusArgument("from", "u")],
            returns: [BusArgument("notices", "as"), BusArgument("more", "b")],
            replying: { [lists] _, reply in lists.withLock { $0.append(reply) } }
        )
        let register = BusMethod(
            "Register",
            takes: [BusArgument("app", "s"), BusArgument("name", "s"), BusArgument("options", "a{sv}")],
            replying: { [registrations] call, reply in
                let registration = Registration(app: call.sender, options: call.arguments[2], reply: reply)
                registrations.withLock { $0.append(registration) }
                if !holds.current { reply.send([]) }
            }
        )
        let add = BusMethod(
            "Add",
            takes: [BusArgument("app", "s"), BusArgument("requests", "as"), BusArgument("all_or_nothing", "b")],
            returns: [BusArgument("report", "s")],
            atOnce: { _ in [.string(try AgentCoding().text(NoticeCenter.AddReport(added: [])))] }
        )
        let show = BusMethod(
            "Show",
            takes: [BusArgument("app", "s"), BusArgument("request", "s")],
            returns: [BusArgument("notice", "s")],
            replying: { [shows] _, reply in shows.withLock { $0.append(reply) } }
        )
        let next = BusMethod(
            "NextFireDate",
            takes: [BusArgument("app", "s")],
            returns: [BusArgument("found", "b"), BusArgument("microseconds", "x")],
            atOnce: { _ in [.boolean(false), .int64(0)] }
        )
        let methods = [pending, register, add, show, next]
        export = try await bus.export([BusInterface(AgentNames.agent, methods: methods)], at: AgentNames.agentPath)
        try await bus.requestName(AgentNames.agent)
    }

    /// Replies to a call with a request whose dates need no renewal.
    func list(_ index: Int) throws {
        let dates = (1...2).map { AgentWorld.start.addingTimeInterval(Double($0) * 600) }
        let text = #"{"repeats":true,"original":null,"dates":\#(dates.map(\.timeIntervalSinceReferenceDate))}"#
        let trigger = try AgentCoding().value(ForwardedDatesTrigger.self, text)
        let request = NoticeRequest(id: "tide", title: "T", trigger: trigger)
        let notice = PendingNotice(request: request, next: dates[0], fired: 0, nextFiring: dates[0])
        lists.current[index].send([.strings([try AgentCoding().text(notice)]), .boolean(false)])
    }

    /// Replies to a call that nothing is pending.
    func listNothing(_ index: Int) { lists.current[index].send([.strings([]), .boolean(false)]) }

    /// Reports a firing; returns when the app has received it.
    func fire() async {
        let entry = HistoryEntry(requestID: "tide", date: AgentWorld.start, outcome: .delivered)
        do {
            let text = try AgentCoding().text(CenterEvent.history(entry))
            let name = try #require(registrations.current.last?.app)
            try await bus.call(
                BusMethodCall(to: name, AgentNames.clientPath, AgentNames.client, "Happened", [.string(text)])
            )
        } catch { Issue.record(error) }
    }

    /// Returns when the bus has passed on what this agent has sent, and what others have sent before.
    func settle() async throws {
        for _ in 1...50 { _ = try await bus.owner(of: "org.example.Nobody") }
    }
}
