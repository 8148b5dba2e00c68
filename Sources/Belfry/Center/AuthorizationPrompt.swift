/// Asks the user once whether the app may show notices, on an app thread or on the actor that it is isolated to.
///
/// ```swift
/// struct TerminalPrompt: AuthorizationPrompt {
///     func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
///         print("Show notices of \(app.name)? (y/n)")
///         return readLine() == "y" ? .allowed : .denied
///     }
/// }
/// let center = NoticeCenter(app: app, backend: backend, prompt: TerminalPrompt())
/// ```
public protocol AuthorizationPrompt: Sendable {
    /// Asks the user, and returns the decision, without a time limit of its own. Canceling the task closes the prompt.
    @concurrent func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision
}

extension AuthorizationStatus {
    /// The user's decision about the prompt.
    public enum Decision: String, Sendable, Codable, Hashable {
        /// The user allows notices.
        case allowed
        /// The user forbids them.
        case denied
        /// The prompt was closed without a decision: the user will be asked again.
        case undecided
        /// The user can't be asked here.
        case cannotAsk
    }
}
