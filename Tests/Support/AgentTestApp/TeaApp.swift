import Belfry
import BelfryAgent
import BelfryPortal
import Foundation
import Glibc

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
        let taker = ResponseTaker()
        try await NoticeCenter(app: Self.identity, agent: AgentOptions(program: "")).run { center in
            await center.setDelegate(taker)
            guard way == "bus" else {
                let token = ProcessInfo.processInfo.environment["XDG_ACTIVATION_TOKEN"]
                return try await thank(for: taker.next(), startedWith: token, center)
            }
            let (tokens, continuation) = AsyncStream.makeStream(of: String?.self)
            try await ActivatableApp(Self.identity, activate: { continuation.yield($0) }).run {
                for await token in tokens { return try await thank(for: taker.next(), startedWith: token, center) }
            }
        }
    }

    /// Shows what the response says, and what the program was started with: the token and the limit of descriptors.
    private func thank(
        for response: NoticeResponse,
        startedWith token: String?,
        _ center: NoticeCenter
    ) async throws {
        let tokens = "\(token ?? "none") and \(response.activationToken ?? "none")"
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let body = "\(response.actionID ?? "?"), started by \(way), tokens: \(tokens), descriptors: \(limit.rlim_cur)"
        _ = try await center.show(NoticeRequest(id: "thanks", title: "Thanks", body: body))
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
