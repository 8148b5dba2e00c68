#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the environment says about zones, and where their data lies by it.
struct ZoneEnvironment: Equatable, Sendable {
    /// `TZ`; `nil` where it isn't set, which is not the same as empty.
    var zone: String?
    /// `TZDIR`.
    var directory: String?

    /// That of the process, as it is now.
    static var current: ZoneEnvironment {
        ZoneEnvironment(zone: variable("TZ"), directory: variable("TZDIR"))
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static let usualDirectories = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    ]

    /// The file with the dates of POSIX rules that have none themselves (tzset(3)).
    static let defaultDatesName = "posixrules"

    /// `TZDIR` alone where it is set, as in libc; else the usual folders.
    var directories: [String] {
        if let directory, !directory.isEmpty { return [directory] }
        return Self.usualDirectories
    }

    /// A name stays inside the folder, so that no name in a request reads another file.
    static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix("/") && !name.utf8.contains(0)
            && !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." || $0.isEmpty }
    }

    /// The file of a zone, in the first folder that has it.
    func file(of name: String) -> FileIdentity? {
        guard Self.isSafe(name) else { return nil }
        for directory in directories {
            if let file = FileIdentity(ofFileAt: directory + "/" + name) { return file }
        }
        return nil
    }

    /// `TZ` without the colon that may stand before a name.
    var zoneName: String? {
        zone.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    }

    /// The file that the system's zone is read from, if it is one.
    var systemFile: FileIdentity? {
        guard let name = zoneName else { return FileIdentity(ofFileAt: "/etc/localtime") }
        return name.hasPrefix("/") ? FileIdentity(ofFileAt: name) : file(of: name)
    }

    /// The name of the zone that a link such as `/etc/localtime` leads to, or its path where it has none.
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
