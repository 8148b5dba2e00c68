/// Whether the user allows this app's notices.
public enum AuthorizationStatus: String, Sendable, Codable, Hashable, CaseIterable {
    /// Never asked, or the question was closed without an answer: delivered quietly, and asked again at the next
    /// delivery.
    case notDetermined
    /// Could not be asked (no buttons): delivered quietly.
    case provisional
    /// The user, or the lack of a prompt, allows notices.
    case authorized
    /// The user, or the desktop's settings, forbids them: `add` throws.
    case denied
}
