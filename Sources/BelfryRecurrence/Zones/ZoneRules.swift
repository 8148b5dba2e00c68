/// The offsets from UTC of one zone for all time: an immutable value that can be kept and shared.
///
/// It has the data that was known when it was created. ``named(_:)`` and ``system()`` check whether the data on disk
/// has changed (one `stat`, around a microsecond). Call them again for each new plan, not for every date.
///
/// ```swift
/// let berlin = try ZoneRules.named("Europe/Berlin")
/// print(berlin.offset(at: 1_800_000_000))   // 3600
/// ```
public struct ZoneRules: Sendable {
    /// The name by which the zone was requested; for the system's zone, its name on the system.
    public var identifier: String { table.identifier }
    /// A single reference, so that it costs little in a million rules that keep their zone.
    let table: ZoneTable

    /// UTC, which needs no data.
    public static let utc = ZoneRules(table: ZoneTable(identifier: "UTC", initialOffset: 0, recorded: [], rule: nil))

    /// Returns a zone of the system's zone data (`TZDIR`, else `/usr/share/zoneinfo` and the other usual directories).
    /// If the file is missing, Foundation's data or a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3` is used.
    /// - Throws: ``RecurrenceError/Code/unknownZone``; permanent until the zone data is installed or updated.
    public static func named(_ identifier: String) throws(RecurrenceError) -> ZoneRules {
        if let found = ZoneCache.shared.zone(named: identifier) { return found }
        throw RecurrenceError(
            code: .unknownZone,
            message: "The time zone '\(identifier.prefix(100))' is neither in the system's zone data nor known to "
                + "Foundation. Use a name such as Europe/Berlin, and install tzdata if it is missing."
        )
    }

    /// Returns the system's zone, as libc reads it. `TZ`, with or without a colon, is a name, an absolute path or a
    /// POSIX rule. Without `TZ`, it is `/etc/localtime`. If `TZ` is empty or can't be read, it is UTC.
    ///
    /// It follows changes of the variable, of the link and of its data, and is cheap as long as nothing has changed.
    public static func system() -> ZoneRules {
        ZoneCache.shared.systemZone()
    }

    /// Returns the seconds ahead of UTC at an instant in seconds since 1970. O(1), no lock.
    public func offset(at instant: Int64) -> Int {
        table.segment(at: Int(instant)).offset
    }

    /// Returns the next instant after `instant` at which the offset changes, or `nil` if it never changes again. O(1).
    public func nextChange(after instant: Int64) -> Int64? {
        let end = table.segment(at: Int(instant)).end
        return end >= ZoneTable.distantFuture ? nil : Int64(end)
    }

    /// Whether the zone has had the same offset for all time.
    public var isFixed: Bool { table.isFixed }
}

extension ZoneRules: Hashable {
    /// Returns whether both come from the same reading of the same data.
    public static func == (left: ZoneRules, right: ZoneRules) -> Bool {
        left.table === right.table
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(table))
    }
}
