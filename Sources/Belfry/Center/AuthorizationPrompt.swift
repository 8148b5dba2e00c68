/// Asks the user once whether the app may show notices, on a thread for apps or on the actor that it is isolated to.
public protocol AuthorizationPrompt: Sendable {
    /// Asks the user, and returns the answer; it may take as long as the user does. Cancelling the task takes the
    /// question down.
    @concurrent func ask(for app: AppIdentity) async -> AuthorizationStatus.Answer
}

extension AuthorizationStatus {
    /// What became of the question to the user.
    public enum Answer: String, Sendable, Codable, Hashable {
        /// The user allows notices.
        case allowed
        /// The user forbids them.
        case denied
        /// Closed without an answer: will be asked again.
        case unanswered
        /// There is no way to answer here.
        case cannotAsk
    }
}
