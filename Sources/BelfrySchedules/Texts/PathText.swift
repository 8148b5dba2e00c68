import FoundationEssentials

/// Paths as arguments and schedule files have them.
package enum PathText {
    /// The absolute path. A relative one begins at `folder`, or else where the program runs.
    ///
    /// `~` and what begins with `~/` is in the folder that HOME names. A shell leaves it to the program inside of
    /// quotes and after `=`.
    package static func path(
        _ text: String,
        in folder: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        if text == "~" || text.hasPrefix("~/") { return normalized(home(environment) + text.dropFirst()) }
        if text.hasPrefix("/") { return normalized(text) }
        return normalized((folder ?? FileManager.default.currentDirectoryPath) + "/" + text)
    }

    private static func home(_ environment: [String: String]) -> String {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            return FileManager.default.homeDirectoryForCurrentUser.path
        }
        return home
    }

    /// Without `.`, `..` and empty parts. Foundation does this too, but takes `~` from the password file and not from
    /// HOME.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
