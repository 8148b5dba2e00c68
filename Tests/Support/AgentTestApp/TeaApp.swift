import Belfry
import BelfryAgent
import BelfryBus
import Foundation

/// The app `org.example.Tea`: it asks, ends, and is started again by the answer.
struct TeaApp {
    static let identity = AppIdentity(id: "org.example.Tea", name: "Tea")
    /// How it is started by the agent.
    let way: String

    func ask() async throws {
        var options = AgentOptions(program: "")
        if way == "command" {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            options.command = [own, "answer", "command"]
        }
        options.isActivatable = way == "bus"
        let content = NoticeContent(title: "Tea?", actions: [NoticeAction("more", title: "More")])
        try await NoticeCenter(app: Self.identity, agent: options).run { center in
            _ = try await center.show(NoticeRequest(id: "tea", content: content))
        }
    }

    func answer() async throws {
        let bus = BusConnection(to: .session)
        var export: BusSubscription?
        if way == "bus" {
            try await bus.connect()
            let activate = BusMethod(
                "Activate",
                takes: [BusArgument("platform_data", "a{sv}")],
                atOnce: { _ in [] }
            )
            export = try await bus.export(
                [BusInterface("org.freedesktop.Application", methods: [activate])],
                at: "/org/example/Tea"
            )
            try await bus.requestName(Self.identity.id)
        }
        let taker = ResponseTaker()
        try await NoticeCenter(app: Self.identity, agent: AgentOptions(program: "")).run { center in
            await center.setDelegate(taker)
            let response = await taker.next()
            let body = "\(response.actionID ?? "?"), started by \(way)"
            _ = try await center.show(NoticeRequest(id: "thanks", title: "Thanks", body: body))
        }
        withExtendedLifetime(export) {}
        await bus.close()
    }

    func tellWhetherOneWaits() async throws {
        let taker = ResponseTaker()
        try await NoticeCenter(app: Self.identity, agent: AgentOptions(program: "")).run { center in
            await center.setDelegate(taker)
            // What waits is offered at once. A call behind it would not tell: the offer is a call of the agent's.
            let late = Task {
                try? await Task.sleep(for: .seconds(1))
                if !Task.isCancelled { taker.giveUp() }
            }
            print(await taker.first() == nil ? "nothing waits" : "one waits")
            late.cancel()
        }
    }
}

/// The app's designated handler.
final class ResponseTaker: NoticeCenterDelegate {
    private let responses: AsyncStream<NoticeResponse>
    private let continuation: AsyncStream<NoticeResponse>.Continuation

    init() { (responses, continuation) = AsyncStream.makeStream(of: NoticeResponse.self) }

    func handle(_ response: NoticeResponse) async { continuation.yield(response) }
    func giveUp() { continuation.finish() }

    func first() async -> NoticeResponse? {
        for await response in responses { return response }
        return nil
    }

    func next() async -> NoticeResponse {
        guard let response = await first() else { preconditionFailure("the stream does not end") }
        return response
    }
}
