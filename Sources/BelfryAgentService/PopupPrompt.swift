import Belfry
import Synchronization

/// Asks the person by a popup with the buttons Allow and Don't allow.
public struct PopupPrompt: AuthorizationPrompt {
    private let makeBackend: @Sendable (AppIdentity) -> any DeliveryBackend

    /// `backend` is made for each question, and runs as long as that stands.
    public init(backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend) { makeBackend = backend }

    public func ask(for app: AppIdentity) async -> AuthorizationAnswer {
        let backend = makeBackend(app)
        let (answers, continuation) = AsyncStream.makeStream(of: AuthorizationAnswer.self)
        let running = Task(executorPreference: backend.executor) {
            try? await backend.run { event in
                switch event {
                case .answered(_, let action, _, _):
                    switch action {
                    case Self.allow: continuation.yield(.allowed)
                    case Self.deny: continuation.yield(.denied)
                    default: break
                    }
                // A popup that leaves the screen was answered before, or wasn't.
                case .closed, .serverGone: continuation.yield(.unanswered)
                default: break
                }
            }
            continuation.yield(.unanswered)
        }
        defer { running.cancel() }
        do throws(NoticeError) {
            let capabilities = try await backend.capabilities()
            guard capabilities.features.contains(.actions) else { return .cannotAsk }
            let receipt = try await backend.deliver(Self.question(app))
            var answer = AuthorizationAnswer.unanswered
            for await given in answers {
                answer = given
                break
            }
            try? await backend.withdraw(receipt)
            return answer
        } catch {
            // Nobody can be asked now; another time somebody may.
            return .unanswered
        }
    }

    private static let allow = "allow"
    private static let deny = "deny"

    private static func question(_ app: AppIdentity) -> Delivery {
        let content = NoticeContent(
            title: "\(app.name) wants to show notices",
            body: "You can change this later: belfry apps allow|deny \(app.id)",
            level: .timeSensitive,
            actions: [NoticeAction(allow, title: "Allow"), NoticeAction(deny, title: "Don't allow")],
            expiry: .never
        )
        return Delivery(
            id: "org.belfry.authorization",
            requestID: "org.belfry.authorization",
            app: app,
            content: content,
            dueAt: SystemTriggerClock().now().date
        )
    }
}
