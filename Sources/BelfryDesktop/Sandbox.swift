public import FoundationEssentials

/// What this program is confined by, where a desktop would want its notices through the portal.
public enum Sandbox: String, Sendable, Hashable {
    /// In a Flatpak.
    case flatpak
    /// In a snap.
    case snap

    /// Nil outside of any: there is no file `/.flatpak-info`, and `SNAP` is not set.
    ///
    /// - Parameters:
    ///   - environment: The variables to look at.
    ///   - root: The folder that is taken for `/`.
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
