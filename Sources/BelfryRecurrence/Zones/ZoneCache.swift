import Synchronization

/// The zones that have been read, each with the identity of its file. A changed file is read again.
final class ZoneCache: Sendable {
    static let shared = ZoneCache()

    private struct Entry {
        /// `nil` if the zone came from a POSIX rule or from Foundation.
        var file: FileIdentity?
        var rules: ZoneRules
    }

    private struct SystemEntry {
        var environment: ZoneEnvironment
        /// `nil` if the zone is UTC or a POSIX rule and came from no file.
        var file: FileIdentity?
        var rules: ZoneRules
    }

    private struct State {
        var named: [String: Entry] = [:]
        var system: SystemEntry?
    }

    /// The maximum number of cached zones: some 600 names, and POSIX rules, which needn't be kept forever.
    private static let capacity = 1024

    private let state = Mutex(State())

    func zone(named name: String, in environment: ZoneEnvironment = .current) -> ZoneRules? {
        let file = environment.file(of: name)
        if let known = state.withLock({ $0.named[name] }), known.file == file { return known.rules }
        guard let rules = Self.read(name, from: file) else { return nil }
        return state.withLock { state in
            // Another thread may have read it already. One shared table keeps the values equal.
            if let known = state.named[name], known.file == file { return known.rules }
            if state.named.count >= Self.capacity { state.named.removeAll(keepingCapacity: true) }
            state.named[name] = Entry(file: file, rules: rules)
            return rules
        }
    }

    private static func read(_ name: String, from file: FileIdentity?) -> ZoneRules? {
        if let table = file?.contents().flatMap({ TZifReader.table(of: $0, named: name) }) { return ZoneRules(table) }
        if name.utf8.contains(UInt8(ascii: ",")) || name.hasPrefix("<") {
            // A POSIX rule needs dates or a name in angle brackets. `UTC+3` would mean three hours west of Greenwich,
            // which no one expects.
            return PosixZone(parsing: name).flatMap { $0.hasDefaultDates ? nil : ZoneRules(ZoneTable(name, $0)) }
        }
        guard ZoneEnvironment.isSafe(name) else { return nil }
        return ZoneTable(foundationZone: name).map(ZoneRules.init)
    }

    func systemZone(in environment: ZoneEnvironment = .current) -> ZoneRules {
        let file = environment.systemFile
        func known(_ state: State) -> ZoneRules? {
            guard let entry = state.system, entry.environment == environment, entry.file == file else { return nil }
            return entry.rules
        }
        if let rules = state.withLock({ known($0) }) { return rules }
        let rules = Self.readSystemZone(environment, file: file)
        return state.withLock { state in
            if let rules = known(state) { return rules }
            state.system = SystemEntry(environment: environment, file: file, rules: rules)
            return rules
        }
    }

    private static func readSystemZone(_ environment: ZoneEnvironment, file: FileIdentity?) -> ZoneRules {
        let name = environment.zoneName
        if let file, let data = file.contents() {
            let isPath = name?.hasPrefix("/") ?? true
            let identifier = isPath ? environment.name(ofFileAt: file.path) : name ?? file.path
            if let table = TZifReader.table(of: data, named: identifier) { return ZoneRules(table) }
        }
        guard let name, let rule = PosixZone(parsing: name) else { return .utc }
        if rule.hasDefaultDates, let file = environment.file(of: ZoneEnvironment.defaultDatesName),
            let dates = file.contents().flatMap({ TZifReader.contents(of: $0) }),
            let table = ZoneTable(name, rule, datesOf: dates)
        {
            return ZoneRules(table)
        }
        return ZoneRules(ZoneTable(name, rule))
    }
}
