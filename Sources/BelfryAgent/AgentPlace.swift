public import Belfry
public import FoundationEssentials

/// The folders of the agent: `$XDG_STATE_HOME/belfry/agent/<app id>/`, `~/.local/state` without that variable.
public struct AgentPlace: Sendable, Hashable {
    /// The absolute path of the folder.
    public let path: String

    /// A folder by its absolute path.
    public init(path: String) { self.path = path }

    /// The folder of the agent that an environment names.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = BaseFolder.state.path(in: environment) + "/belfry/agent"
    }

    /// Throws ``Belfry/NoticeError/Code/invalidIdentifier`` where the identifier can't name a folder.
    public func folder(of app: String) throws(NoticeError) -> String {
        guard Self.isIdentifier(app) else {
            throw NoticeError(
                .invalidIdentifier,
                "The application identifier '\(app.prefix(80))' is none: use letters, digits, '-' and '_' between "
                    + "single dots, none of it beginning with '-', as in org.example.Tea."
            )
        }
        return path + "/" + app
    }

    /// The identifiers that have a folder.
    public func apps() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isIdentifier($0) }.sorted()
    }

    /// The form of a bus name, which the desktop's files and D-Bus activation go by, and never a path.
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
