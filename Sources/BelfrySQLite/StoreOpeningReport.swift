public import Belfry

/// The report of opening a store. Empty after an ordinary opening.
///
/// The center also reports all of it to the listeners of its events.
///
/// ```swift
/// let store = try await SQLiteRequestStore.open(for: app)
/// for message in store.openingReport.messages { print(message) }
/// ```
public struct StoreOpeningReport: Sendable, Hashable, Codable {
    /// A row that this program can't read. It is kept as it is.
    public struct Unreadable: Sendable, Hashable, Codable {
        /// The table of the row.
        public var table: String
        /// The row's number: a request's revision.
        public var row: Int64
        /// The reason why it can't be read.
        public var reason: String
    }

    /// The damage of the file, which was set aside; a new file has the data that could be read.
    public var damage: NoticeStore.Damage?
    package var dormant: [StoredState.Dormant] = []
    /// Rows that this program can't read, and keeps.
    public var unreadable: [Unreadable] = []
    /// Warnings about a directory that others may read, or a network file system. The store works nevertheless.
    public var warnings: [String] = []

    /// Whether there is nothing to report.
    public var isEmpty: Bool { damage == nil && dormant.isEmpty && unreadable.isEmpty && warnings.isEmpty }

    /// The report as sentences, for a terminal or a log.
    public var messages: [String] {
        errors.map(\.message)
            + dormant.map {
                "The request '\($0.requestID)' stays pending and doesn't fire: its trigger '\($0.kind.rawValue)' can't "
                    + "be read (\($0.reason))."
            }
    }

    /// The errors that the center reports besides the dormant requests.
    var errors: [NoticeError] {
        var all = warnings.map { NoticeError(.storeMessage, $0) }
        if let damage { all.append(NoticeError(.storeDamaged, damage.message)) }
        all += unreadable.map {
            NoticeError(
                .contentUnreadable,
                "Row \($0.row) of the table '\($0.table)' can't be read by this version and is kept as it is "
                    + "(\($0.reason))."
            )
        }
        return all
    }
}
