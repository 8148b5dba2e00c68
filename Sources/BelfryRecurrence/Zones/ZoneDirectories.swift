#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where zone data lies, and which names may be looked up there.
enum ZoneDirectories {
    static let usual = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]

    /// `TZDIR` alone where it is set, as in libc; else the usual folders.
    static var current: [String] {
        if let directory = environment("TZDIR"), !directory.isEmpty { return [directory] }
        return usual
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// A name stays inside the folder, so that no name of a request reads another file.
    static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix("/") && !name.utf8.contains(0)
            && !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." || $0.isEmpty }
    }

    /// The file of a zone, in the first folder that has it.
    static func file(of name: String) -> FileIdentity? {
        guard isSafe(name) else { return nil }
        for directory in current {
            if let file = FileIdentity(ofFileAt: directory + "/" + name) { return file }
        }
        return nil
    }

    /// The name of the zone that a link such as `/etc/localtime` leads to, or its path where it has none.
    static func name(ofFileAt path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        let target = String(cString: resolved)
        for directory in current {
            let root = realpath(directory, nil)
            defer { free(root) }
            let prefix = (root.map { String(cString: $0) } ?? directory) + "/"
            if target.hasPrefix(prefix) { return String(target.dropFirst(prefix.count)) }
        }
        return path
    }
}
