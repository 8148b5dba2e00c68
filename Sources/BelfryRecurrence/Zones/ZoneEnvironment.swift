#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The environment variables for zones, and the locations of the zone data that follow from them.
struct ZoneEnvironment: Hashable, Sendable {
    /// `TZ`; `nil` if it isn't set, which differs from empty.
    var zone: String?
    /// `TZDIR`.
    var directory: String?

    /// The current environment of the process.
    static var current: ZoneEnvironment {
        ZoneEnvironment(zone: variable("TZ"), directory: variable("TZDIR"))
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static let usualDirectories = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    ]

    /// The file with the dates for POSIX rules without dates (tzset(3)).
    static let defaultDatesName = "posixrules"

    /// Only `TZDIR` if it is set, as in libc; otherwise the usual directories.
    var directories: [String] {
        if let directory, !directory.isEmpty { return [directory] }
        return Self.usualDirectories
    }

    /// Whether a name stays inside the directory, so that a request can't read another file by it.
    static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix("/") && !name.utf8.contains(0)
            && !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." || $0.isEmpty }
    }

    /// Returns the file of a zone, in the first directory that has it.
    func file(of name: String) -> FileIdentity? {
        guard Self.isSafe(name) else { return nil }
        for directory in directories {
            if let file = FileIdentity(ofFileAt: directory + "/" + name) { return file }
        }
        return nil
    }

    /// `TZ` without the optional colon before a name.
    var zoneName: String? {
        zone.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    }

    /// The file of the system's zone; nil if there is none.
    var systemFile: FileIdentity? {
        guard let name = zoneName else { return FileIdentity(ofFileAt: "/etc/localtime") }
        return name.hasPrefix("/") ? FileIdentity(ofFileAt: name) : file(of: name)
    }

    /// Returns the name of the zone that a link such as `/etc/localtime` points to, or the path if it has no name.
    func name(ofFileAt path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        let target = String(cString: resolved)
        for directory in directories {
            let root = realpath(directory, nil)
            defer { free(root) }
            let prefix = (root.map { String(cString: $0) } ?? directory) + "/"
            if target.hasPrefix(prefix) { return String(target.dropFirst(prefix.count)) }
        }
        return path
    }
}
