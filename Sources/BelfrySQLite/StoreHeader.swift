/// What the one row of the table `header` says of all others, so that rows and transactions that are missing are
/// missed.
///
/// It is written anew in each transaction.
struct StoreHeader: Sendable, Hashable {
    /// How many transactions there have been; ``CommitMark`` says how many there must be.
    var transactions: Int64
    /// The highest revision that was ever given.
    var revision: Int64
    /// The sums of all pending requests, combined by XOR: whatever row is missing, this is another number.
    var pending: Int64

    /// Nil where there is none that can be believed.
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

    /// With what the tables say now. Never a lower revision.
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
