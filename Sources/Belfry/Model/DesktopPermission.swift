/// The desktop's own setting for one app's notices.
///
/// ```swift
/// switch await center.desktopPermission() {
/// case .off: print("The desktop discards notices of \(app.name).")
/// case .quiet: print("Notices of \(app.name) are only listed.")
/// case .on, .unknown: break
/// }
/// ```
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
