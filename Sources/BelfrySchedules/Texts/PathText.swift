import FoundationEssentials

/// Paths in arguments and schedule files.
package enum PathText {
    /// Returns the absolute path. A relative one begins at `folder`, or else at the current directory.
    ///
    /// `~` and a prefix `~/` stand for the directory in HOME. A shell doesn't expand them in quotes and after `=`.
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

    /// Removes `.`, `..` and empty parts. Foundation does this too, but takes `~` from the password file and not from
    /// HOME.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
