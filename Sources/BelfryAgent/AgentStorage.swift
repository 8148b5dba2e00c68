public import Belfry
public import FoundationEssentials

/// The directories of the agent: `$XDG_STATE_HOME/belfry/agent/<app id>/`; without that variable, below
/// `~/.local/state`.
///
/// ```swift
/// let storage = AgentStorage()
/// print("\(storage.apps().count) apps have stored something below \(storage.path).")
/// ```
public struct AgentStorage: Sendable, Hashable {
    /// The absolute path of the directory.
    public let path: String

    /// Creates storage in the directory with this absolute path.
    public init(path: String) { self.path = path }

    /// Creates the storage that an environment specifies.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = BaseFolder.state.path(in: environment) + "/belfry/agent"
    }

    /// Returns an app's directory. Throws ``Belfry/NoticeError/Code/invalidIdentifier`` (permanent).
    public func folder(of app: String) throws(NoticeError) -> String {
        guard Self.isIdentifier(app) else {
            throw NoticeError(
                .invalidIdentifier,
                "'\(app.prefix(80))' is no identifier of an app: use letters, digits, '-' and '_' between "
                    + "single dots, none of it beginning with '-', as in org.example.Tea."
            )
        }
        return path + "/" + app
    }

    /// Returns the identifiers that have a directory.
    public func apps() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isIdentifier($0) }.sorted()
    }

    /// Whether an identifier is a bus name, as desktop files and D-Bus activation require. It is never a path.
    private static func isIdentifier(_ id: String) -> Bool {
        id.utf8.count <= 255
            && id.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.first != "-"
                    && part.utf8.allSatisfy { byte in
                        switch byte {
                        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                        default: false
                        }
                    }
            }
    }
}
