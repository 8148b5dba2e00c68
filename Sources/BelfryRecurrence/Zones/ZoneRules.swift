/// The offsets from UTC of one zone, for all time: an immutable value that can be kept and shared.
///
/// It tells what was known when it was made. ``named(_:)`` and ``system()`` look whether the data on disk has changed
/// since (one `stat`, around a microsecond), so ask them again when a plan is made anew, not for every date.
public struct ZoneRules: Sendable {
    /// The name under which the zone was asked for; for the system's zone, the one that it has there.
    public var identifier: String { table.identifier }
    /// One reference, so that a million rules that keep their zone keep little.
    let table: ZoneTable

    init(_ table: ZoneTable) {
        self.table = table
    }

    /// UTC, which needs no data.
    public static let utc = ZoneRules(ZoneTable(identifier: "UTC", initialOffset: 0, recorded: [], rule: nil))

    /// A zone of the system's zone data (`TZDIR`, else `/usr/share/zoneinfo` and the other usual folders), or of
    /// Foundation's where the file is missing, or a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    /// - Throws: ``RecurrenceError/Code/unknownZone``.
    public static func named(_ identifier: String) throws(RecurrenceError) -> ZoneRules {
        if let found = ZoneCache.shared.zone(named: identifier) { return found }
        throw RecurrenceError(
            code: .unknownZone,
            message: "The time zone '\(identifier.prefix(100))' is neither in the system's zone data nor known to "
                + "Foundation. Use a name such as Europe/Berlin, and install tzdata if it is missing."
        )
    }

    /// The system's zone, as libc reads it: `TZ` with and without a colon, as a name, an absolute path or a POSIX rule;
    /// `/etc/localtime` where `TZ` isn't set; UTC where it is empty or can't be read.
    ///
    /// Follows a change of the variable, of the link and of the data behind it. Cheap while nothing has changed.
    public static func system() -> ZoneRules {
        ZoneCache.shared.systemZone()
    }

    /// Seconds ahead of UTC at an instant in seconds since 1970. O(1), no lock.
    public func offset(at instant: Int64) -> Int {
        table.segment(at: Int(instant)).offset
    }

    /// The next instant after `instant` at which the offset changes, or `nil` where it never does again. O(1).
    public func nextChange(after instant: Int64) -> Int64? {
        let end = table.segment(at: Int(instant)).end
        return end >= ZoneTable.distantFuture ? nil : Int64(end)
    }

    /// Whether the zone has had one and the same offset for all time.
    public var isFixed: Bool { table.isFixed }
}

extension ZoneRules: Hashable {
    /// Equal when they are the same reading of the same data.
    public static func == (left: ZoneRules, right: ZoneRules) -> Bool {
        left.table === right.table
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(table))
    }
}
