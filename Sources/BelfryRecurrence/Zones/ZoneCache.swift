import Synchronization

/// The zones that have been read, each with the identity of its file. A changed file is read again.
final class ZoneCache: Sendable {
    static let shared = ZoneCache()

    private enum Key: Hashable {
        case named(String)
        case system(ZoneEnvironment)
    }

    private struct Entry {
        /// `nil` if the zone came from no file: it is UTC, a POSIX rule, or Foundation's.
        var file: FileIdentity?
        var rules: ZoneRules
    }

    /// The maximum number of cached zones: some 600 names, and POSIX rules, which needn't be kept forever.
    private static let capacity = 1024

    private let entries = Mutex<[Key: Entry]>([:])

    func zone(named name: String, in environment: ZoneEnvironment = .current) -> ZoneRules? {
        rules(of: .named(name), from: environment.file(of: name)) { Self.read(name, from: $0) }
    }

    func systemZone(in environment: ZoneEnvironment = .current) -> ZoneRules {
        rules(of: .system(environment), from: environment.systemFile) { Self.readSystemZone(environment, file: $0) }
            ?? .utc
    }

    /// Returns the known zone if its file is unchanged, or else reads it.
    private func rules(
        of key: Key,
        from file: FileIdentity?,
        reading read: (FileIdentity?) -> ZoneRules?
    ) -> ZoneRules? {
        if let known = entries.withLock({ $0[key] }), known.file == file { return known.rules }
        guard let rules = read(file) else { return nil }
        return entries.withLock { entries in
            // Another thread may have read it already. One shared table keeps the values equal.
            if let known = entries[key], known.file == file { return known.rules }
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[key] = Entry(file: file, rules: rules)
            return rules
        }
    }

    private static func read(_ name: String, from file: FileIdentity?) -> ZoneRules? {
        if let table = file?.contents().flatMap({ TZifReader.table(of: $0, named: name) }) {
            return ZoneRules(table: table)
        }
        if name.utf8.contains(UInt8(ascii: ",")) || name.hasPrefix("<") {
            // A POSIX rule needs dates or a name in angle brackets. `UTC+3` would mean three hours west of Greenwich,
            // which no one expects.
            return PosixZone(parsing: name).flatMap { $0.hasDefaultDates ? nil : ZoneRules(table: ZoneTable(name, $0)) }
        }
        guard ZoneEnvironment.isSafe(name) else { return nil }
        return ZoneTable(foundationZone: name).map(ZoneRules.init(table:))
    }

    private static func readSystemZone(_ environment: ZoneEnvironment, file: FileIdentity?) -> ZoneRules {
        let name = environment.zoneName
        if let file, let data = file.contents() {
            let isPath = name?.hasPrefix("/") ?? true
            let identifier = isPath ? environment.name(ofFileAt: file.path) : name ?? file.path
            if let table = TZifReader.table(of: data, named: identifier) { return ZoneRules(table: table) }
        }
        guard let name, let rule = PosixZone(parsing: name) else { return .utc }
        if rule.hasDefaultDates, let file = environment.file(of: ZoneEnvironment.defaultDatesName),
            let dates = file.contents().flatMap({ TZifReader.contents(of: $0) }),
            let table = ZoneTable(name, rule, datesOf: dates)
        {
            return ZoneRules(table: table)
        }
        return ZoneRules(table: ZoneTable(name, rule))
    }
}
