import BelfryRecurrence
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
        absolute(text == "~" || text.hasPrefix("~/") ? home(environment) + text.dropFirst() : text, in: folder)
    }

    /// Returns the absolute path without `.` and empty parts. A relative one begins at `folder`, or else at the current
    /// directory.
    static func absolute(_ path: String, in folder: String? = nil) -> String {
        let path = path.hasPrefix("/") ? path : (folder ?? FileManager.default.currentDirectoryPath) + "/" + path
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            // One path for each file that is named in two ways, because it may be an owner's name. But what is above a
            // link is above the link's target (path_resolution(7)).
            if part == "..", parts.last != "..", !isLink("/" + parts.joined(separator: "/")) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Whether there is a file at a path, and not a directory or a device.
    package static func isRegularFile(_ path: String) -> Bool { FileIdentity(ofFileAt: path) != nil }

    private static func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    private static func home(_ environment: [String: String]) -> String {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            return FileManager.default.homeDirectoryForCurrentUser.path
        }
        return home
    }
}
