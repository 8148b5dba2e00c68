public import Belfry
import CLinux
public import FoundationEssentials
import Glibc

/// The directories in which plug-in files are searched by name.
///
/// ```swift
/// let searchPath = PluginSearchPath.standard()
/// print(try searchPath.file(of: "libbelfry-libnotify"))
/// ```
public struct PluginSearchPath: Sendable, Hashable {
    /// The directories, as absolute paths, in the order in which they are searched.
    public var folders: [String]

    /// Creates a search path of these directories, searched in order.
    public init(folders: [String]) { self.folders = folders }

    /// The directories of `BELFRY_PLUGIN_PATH` (separated by colons), then `$XDG_DATA_HOME/belfry/plugins`, then
    /// `/usr/local/lib/belfry/plugins` and `/usr/lib/belfry/plugins`. A privileged process (set-user-ID and the like)
    /// ignores the environment. Relative directories are skipped, as the XDG specification requires.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        isPrivileged: Bool = processIsPrivileged()
    ) -> PluginSearchPath {
        var folders: [String] = []
        if !isPrivileged {
            folders += (environment["BELFRY_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init)
            folders.append(BaseFolder.data.path(in: environment) + "/belfry/plugins")
        }
        folders += ["/usr/local/lib/belfry/plugins", "/usr/lib/belfry/plugins"]
        return PluginSearchPath(folders: folders.filter { $0.hasPrefix("/") })
    }

    /// Returns the file of a plug-in: `name.so`, whether or not `name` has that ending, in the first directory that has
    /// it. Throws ``Belfry/NoticeError/Code/notFound``, permanent, which lists the paths that were tried.
    public func file(of name: String) throws(NoticeError) -> String {
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0") else {
            throw NoticeError(.notFound, "'\(name)' is not a plug-in's name: give a name without slashes, or a path.")
        }
        let file = name.hasSuffix(".so") ? name : name + ".so"
        let candidates = folders.map { "\($0)/\(file)" }
        if let found = candidates.first(where: { access($0, F_OK) == 0 }) { return found }
        throw NoticeError(
            .notFound,
            "There is no plug-in '\(name)': \(candidates.joined(separator: ", ")) don't exist."
        )
    }

    /// Whether the kernel gave this process more rights than its caller has (getauxval(3), AT_SECURE).
    public static func processIsPrivileged() -> Bool { getauxval(UInt(AT_SECURE)) != 0 }
}
