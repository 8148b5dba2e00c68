public import Belfry

/// What opening a store found that somebody should know. Empty after an ordinary opening.
///
/// All of it also reaches whoever listens to the center's events.
public struct StoreOpeningReport: Sendable, Hashable, Codable {
    /// A row that this program can't read. It is kept as it is.
    public struct Unreadable: Sendable, Hashable, Codable {
        /// The table of the row.
        public var table: String
        /// The row's number: a request's revision.
        public var row: Int64
        /// Why it can't be read.
        public var reason: String
    }

    /// The file was damaged: it was set aside, and what could be read of it is in a new one.
    public var damage: NoticeStore.Damage?
    package var dormant: [StoredState.Dormant] = []
    /// Rows that this program can't read, and keeps.
    public var unreadable: [Unreadable] = []
    /// What works, but not as well as it could: a folder that others may read, a network file system.
    public var warnings: [String] = []

    /// True where nothing is to be reported.
    public var isEmpty: Bool { damage == nil && dormant.isEmpty && unreadable.isEmpty && warnings.isEmpty }

    /// The same in sentences, for a terminal or a log.
    public var messages: [String] {
        findings.map(\.message)
            + dormant.map {
                "The request '\($0.requestID)' stays pending and doesn't fire: its trigger '\($0.kind.rawValue)' can't be "
                    + "read (\($0.reason))."
            }
    }

    /// What the center passes on besides the dormant requests.
    var findings: [NoticeError] {
        var all = warnings.map { NoticeError(.storeMessage, $0) }
        if let damage { all.append(NoticeError(.storeDamaged, damage.message)) }
        all += unreadable.map {
            NoticeError(
                .contentUnreadable,
                "Row \($0.row) of the table '\($0.table)' can't be read by this version and is kept as it is (\($0.reason))."
            )
        }
        return all
    }
}
