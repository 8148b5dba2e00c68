/// Asks the person once whether the app may show notices.
public protocol AuthorizationPrompt: Sendable {
    func ask(for app: AppIdentity) async -> AuthorizationStatus.Answer
}

extension AuthorizationStatus {
    public enum Answer: String, Sendable, Codable, Hashable {
        case allowed, denied
        /// Closed without an answer: will be asked again.
        case unanswered
        /// There is no way to answer here.
        case cannotAsk
    }
}
