/// What the desktop's own settings say of one app's notices.
public enum DesktopPermission: String, Sendable, Codable, Hashable, CaseIterable {
    /// They are shown.
    case on
    /// They go to the desktop's list, and don't pop up.
    case quiet
    /// They are thrown away.
    case off
    /// This desktop has no such switch, or doesn't say.
    case unknown
}
