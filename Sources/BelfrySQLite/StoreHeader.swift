/// The one row of the table `header`, which summarizes all others, so that missing rows and transactions are detected.
///
/// It is rewritten in each transaction.
struct StoreHeader: Sendable, Hashable {
    /// The number of transactions so far; ``CommitMark`` has the number that there must be.
    var transactions: Int64
    /// The highest revision ever assigned.
    var revision: Int64
    /// The sums of all pending requests, combined by XOR: if any row is missing, the number differs.
    var pending: Int64

    /// Reads the header; nil if there is none, or no valid one.
    static func read(_ database: SQLiteDatabase) throws -> StoreHeader? {
        try database.first(SummedTable.header.selection) { row in
            guard SummedTable.header.isIntact(row), let transactions = row.integer(1), let revision = row.integer(2),
                let pending = row.integer(3)
            else { return nil }
            return StoreHeader(transactions: transactions, revision: revision, pending: pending)
        }
    }

    func write(to database: SQLiteDatabase) throws {
        try SummedTable.header.insert(
            [.integer(1), .integer(transactions), .integer(revision), .integer(pending)],
            into: database
        )
    }

    /// Returns the header with the current values of the tables, never with a lower revision.
    func counted(in database: SQLiteDatabase) throws -> StoreHeader {
        var header = self
        header.pending = 0
        try database.forEach("SELECT sum FROM pending") { header.pending ^= $0.integer(0) ?? 0 }
        for table in ["request", "pending", "place"] {
            let highest = try database.first("SELECT max(revision) FROM \(table)") { $0.integer(0) }
            header.revision = max(header.revision, highest ?? 0)
        }
        return header
    }
}
