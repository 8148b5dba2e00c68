package import Belfry

/// A prompt that shows a popup with the buttons Allow and Don't allow, in the user's language. Canceling the asking
/// task withdraws the popup.
package struct PopupPrompt: AuthorizationPrompt {
    private let makeBackend: @Sendable (AppIdentity) -> any DeliveryBackend
    private let languages: [String]?

    /// Creates a prompt. `backend` makes a backend for each question, which runs until the question ends. `languages`:
    /// best first; nil follows the user's languages at the time of asking.
    package init(languages: [String]? = nil, backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend) {
        makeBackend = backend
        self.languages = languages
    }

    package func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        let backend = makeBackend(app)
        let decision = AwaitedValue<AuthorizationStatus.Decision>()
        let running = Task(executorPreference: backend.executor) {
            try? await backend.run { event in
                switch event {
                case .responded(_, Self.allow, _, _): decision.give(.allowed)
                case .responded(_, Self.deny, _, _): decision.give(.denied)
                // If the user responded, that arrived before the popup left the screen.
                case .closed, .serverGone: decision.give(.undecided)
                default: break
                }
            }
            decision.give(.undecided)
        }
        defer { running.cancel() }
        do {
            let capabilities = try await backend.capabilities()
            guard capabilities.features.contains(.actions) else { return .cannotAsk }
            // Not prepared like a notice, which looks at its files.
            let question = question(app.cleaned())
            // A task of its own: a canceled caller must still withdraw the popup, even while it is being delivered.
            let delivering = Task(executorPreference: backend.executor) { try await backend.deliver(question) }
            let receipt = try await delivering.value
            let chosen = await decision.value(late: .undecided, cancelled: .undecided)
            await Task(executorPreference: backend.executor) { try? await backend.withdraw(receipt) }.value
            return chosen
        } catch {
            // The user can't be asked now; a later attempt may succeed.
            return .undecided
        }
    }

    private static let allow = "allow"
    private static let deny = "deny"

    private func question(_ app: AppIdentity) -> Delivery {
        let words = PermissionWords.best(for: languages ?? LanguagePreference.current())
        let content = NoticeContent(
            title: words.wish(of: app.name),
            body: words.explanation(for: app.name),
            level: .timeSensitive,
            actions: [NoticeAction(Self.allow, title: words.allow), NoticeAction(Self.deny, title: words.deny)]
        ).with { $0.desktop.expiry = .never }
        return Delivery(
            id: "org.belfry.authorization",
            requestID: "org.belfry.authorization",
            app: app,
            content: content,
            dueDate: SystemTriggerClock().now().date
        )
    }
}
