import Synchronization

/// The zones that have been read, each with the identity of the file it came from: a changed file is read again.
final class ZoneCache: Sendable {
    static let shared = ZoneCache()

    private struct Entry {
        /// `nil` where the zone came from a POSIX rule or from Foundation.
        var file: FileIdentity?
        var rules: ZoneRules
    }

    private struct SystemEntry {
        var variable: String?
        var directory: String?
        /// The file it was read from, or none, where UTC or a POSIX rule stood for it.
        var file: FileIdentity?
        var rules: ZoneRules
    }

    private struct State {
        var named: [String: Entry] = [:]
        var system: SystemEntry?
    }

    /// There are some 600 names; what is beyond are POSIX rules, and those need not be kept for ever.
    private static let capacity = 1024

    private let state = Mutex(State())

    func zone(named name: String) -> ZoneRules? {
        let file = ZoneDirectories.file(of: name)
        if let known = state.withLock({ $0.named[name] }), known.file == file { return known.rules }
        guard let rules = Self.read(name, from: file) else { return nil }
        return state.withLock { state in
            // Another thread may have been faster; one table for all keeps values equal.
            if let known = state.named[name], known.file == file { return known.rules }
            if state.named.count >= Self.capacity { state.named.removeAll(keepingCapacity: true) }
            state.named[name] = Entry(file: file, rules: rules)
            return rules
        }
    }

    private static func read(_ name: String, from file: FileIdentity?) -> ZoneRules? {
        if let table = file?.contents().flatMap({ TZifReader.table(of: $0) }) {
            return ZoneRules(identifier: name, table: table)
        }
        guard !name.isEmpty, name.utf8.count <= 512 else { return nil }
        if name.contains(",") {
            // Only with its dates: `UTC+3` alone would mean three hours west of Greenwich, which no one expects.
            guard let rule = PosixZone(parsing: name) else { return nil }
            return ZoneRules(
                identifier: name,
                table: ZoneTable(initialOffset: rule.standardOffset, recorded: [], rule: rule)
            )
        }
        guard ZoneDirectories.isSafe(name) else { return nil }
        return ZoneTable(foundationZone: name).map { ZoneRules(identifier: name, table: $0) }
    }

    func systemZone() -> ZoneRules {
        let variable = ZoneDirectories.environment("TZ")
        let directory = ZoneDirectories.environment("TZDIR")
        let file = Self.systemFile(variable)
        if let known = state.withLock({ $0.system }),
            known.variable == variable, known.directory == directory, known.file == file
        {
            return known.rules
        }
        let rules = Self.readSystemZone(variable, file: file)
        return state.withLock { state in
            if let known = state.system,
                known.variable == variable, known.directory == directory, known.file == file
            {
                return known.rules
            }
            state.system = SystemEntry(variable: variable, directory: directory, file: file, rules: rules)
            return rules
        }
    }

    private static func withoutColon(_ value: String) -> String {
        value.hasPrefix(":") ? String(value.dropFirst()) : value
    }

    private static func systemFile(_ variable: String?) -> FileIdentity? {
        guard let variable else { return FileIdentity(ofFileAt: "/etc/localtime") }
        let name = withoutColon(variable)
        if name.hasPrefix("/") { return FileIdentity(ofFileAt: name) }
        return ZoneDirectories.file(of: name)
    }

    private static func readSystemZone(_ variable: String?, file: FileIdentity?) -> ZoneRules {
        let name = variable.map { withoutColon($0) }
        if let file, let table = file.contents().flatMap({ TZifReader.table(of: $0) }) {
            let identifier =
                name.flatMap { $0.hasPrefix("/") ? nil : $0 } ?? ZoneDirectories.name(ofFileAt: file.path)
            return ZoneRules(identifier: identifier, table: table)
        }
        if let name, let rule = PosixZone(parsing: name) {
            return ZoneRules(
                identifier: name,
                table: ZoneTable(initialOffset: rule.standardOffset, recorded: [], rule: rule)
            )
        }
        return .utc
    }
}
