import Belfry
import BelfryAgent

/// What an app can do, and can't where it is in a sandbox.
struct Confinement {
    let own: String
    let other: String

    private func center(_ app: String, _ change: (inout AgentOptions) -> Void = { _ in }) -> NoticeCenter {
        var options = AgentOptions(program: "")
        change(&options)
        return NoticeCenter(app: AppIdentity(id: app), agent: options)
    }

    func tryAll() async {
        await tell("own") {
            try await center(own).add(NoticeRequest(id: "x", title: "X", trigger: .after(.seconds(900))))
        }
        await tell("named-icon") {
            try await center(own).add(
                NoticeRequest(
                    id: "y",
                    content: NoticeContent(title: "Y", icon: .named("mail-unread")),
                    trigger: .after(.seconds(900))
                )
            )
        }
        await tell("command") { _ = try await center(own) { $0.command = ["/bin/true"] }.pending() }
        await tell("path") {
            try await center(own).add(
                NoticeRequest(
                    id: "z",
                    content: NoticeContent(title: "Z", image: .file("/etc/hostname")),
                    trigger: .after(.seconds(900))
                )
            )
        }
        await tell("other") { _ = try await center(other).pending() }
        print("responses", await takeResponses())
        await tell("permission") { try await center(own).setAuthorization(.authorized) }
        do {
            print("apps", try await AgentDirectory(AgentOptions(program: "")).apps().joined(separator: " "))
        } catch { print("apps", error.code.rawValue) }
    }

    /// Says it is the other app, and wants its responses.
    func takeResponses() async -> String {
        let center = center(other)
        let events = await center.events()
        let taker = ResponseTaker()
        // A refusal comes as a problem; what is granted brings a response, or nothing.
        return await withTaskGroup(of: String.self) { group in
            group.addTask {
                do { try await center.run() } catch { return "\(error)" }
                return "ended"
            }
            group.addTask {
                await center.setDelegate(taker)
                return await taker.first() == nil ? "ended" : "taken"
            }
            group.addTask {
                for await case .error(let error) in events { return error.code.rawValue }
                return "ended"
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(10))
                return "nothing"
            }
            let first = await group.next() ?? "nothing"
            taker.giveUp()
            group.cancelAll()
            return first
        }
    }

    private func tell(_ what: String, _ work: () async throws -> Void) async {
        do {
            try await work()
            print(what, "done")
        } catch { print(what, (error as? NoticeError)?.code.rawValue ?? "\(error)") }
    }
}
