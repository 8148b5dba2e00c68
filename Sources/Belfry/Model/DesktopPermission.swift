/// The desktop's own setting for one app's notices.
public enum DesktopPermission: String, Sendable, Codable, Hashable, CaseIterable {
    /// Notices are shown.
    case on
    /// Notices go to the desktop's list, and don't pop up.
    case quiet
    /// Notices are discarded.
    case off
    /// The desktop has no such setting, or doesn't report it.
    case unknown
}
