/// Whether the user allows this app's notices.
///
/// ```swift
/// if try await center.requestAuthorization() == .denied {
///     print("Notices of \(app.name) are off. Switch them on in the settings.")
/// }
/// ```
public enum AuthorizationStatus: String, Sendable, Codable, Hashable, CaseIterable {
    /// Never asked, or the user closed the prompt without deciding. Notices are delivered quietly, and the next
    /// delivery asks again.
    case notDetermined
    /// The user can't be asked (no buttons), or the desktop's setting is quiet. Notices are delivered quietly.
    case provisional
    /// The user allows notices, or the center has no prompt.
    case authorized
    /// The user or the desktop's settings forbid notices: `add` throws.
    case denied
}
