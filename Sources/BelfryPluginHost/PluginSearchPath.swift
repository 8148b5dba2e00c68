public import Belfry
public import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where plug-in files are looked for by name.
public struct PluginSearchPath: Sendable, Hashable {
    /// In the order in which they are searched; absolute.
    public var folders: [String]

    /// Creates a search path of these folders, searched in order.
    public init(folders: [String]) { self.folders = folders }

    /// The folders of `BELFRY_PLUGIN_PATH` (separated by colons), then `$XDG_DATA_HOME/belfry/plugins`, then
    /// `/usr/local/lib/belfry/plugins` and `/usr/lib/belfry/plugins`. A privileged process (set-user-ID and the like)
    /// ignores the environment. Relative folders are left out, as the XDG specification asks for.
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

    /// The file of the plug-in of this name: `name.so`, whether or not the name has that ending, in the first folder
    /// that has it. Throws ``Belfry/NoticeError/Code/notFound``, which names the folders, permanent.
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

    /// Whether the kernel gave this process more rights than whoever started it has (getauxval(3), AT_SECURE). Where
    /// that can't be read, it is taken for granted.
    public static func processIsPrivileged() -> Bool {
        let isSecureEntry: UInt = 23
        guard let vector = FileManager.default.contents(atPath: "/proc/self/auxv") else { return true }
        return vector.withUnsafeBytes { bytes in
            let words = bytes.bindMemory(to: UInt.self)
            for index in stride(from: 0, to: words.count - 1, by: 2) where words[index] == isSecureEntry {
                return words[index + 1] != 0
            }
            return true
        }
    }
}
