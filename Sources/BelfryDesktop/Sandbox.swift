public import FoundationEssentials

/// The sandbox that confines this program and requires notices to go through the portal.
public enum Sandbox: String, Sendable, Hashable {
    /// In a Flatpak.
    case flatpak
    /// In a snap.
    case snap

    /// The current sandbox; nil if there is no file `/.flatpak-info` and `SNAP` is not set.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - root: The directory that is used as `/`.
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        root: String = "/"
    ) -> Sandbox? {
        let mark = (root.hasSuffix("/") ? root : root + "/") + ".flatpak-info"
        if FileManager.default.fileExists(atPath: mark) { return .flatpak }
        if let snap = environment["SNAP"], !snap.isEmpty { return .snap }
        return nil
    }
}
