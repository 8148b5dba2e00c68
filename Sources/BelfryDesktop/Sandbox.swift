import FoundationEssentials
import Glibc

/// The sandbox that confines this program and requires notices to go through the portal.
///
/// ```swift
/// if Sandbox.current() == .flatpak { print("Notices go through the portal.") }
/// ```
public enum Sandbox: String, Sendable, Hashable {
    /// In a Flatpak.
    case flatpak
    /// In a snap.
    case snap

    /// The current sandbox; nil if there is no file `/.flatpak-info` and `SNAP` is not set.
    public static func current() -> Sandbox? {
        current(snap: getenv("SNAP").map { String(cString: $0) }, root: "/")
    }

    /// Returns the sandbox for a value of `SNAP` and the directory that is used as `/`.
    static func current(snap: String?, root: String) -> Sandbox? {
        let mark = (root.hasSuffix("/") ? root : root + "/") + ".flatpak-info"
        if FileManager.default.fileExists(atPath: mark) { return .flatpak }
        if let snap, !snap.isEmpty { return .snap }
        return nil
    }
}
