import Foundation
import GRDB
internal import GRDBSQLite

/// What the one row of the table `header` says of all others, so that rows and transactions that are missing are missed.
///
/// It is written anew in each transaction.
struct StoreHeader: Sendable, Hashable {
    /// How many transactions there have been; ``CommitMark`` says how many there must be.
    var transactions: Int64
    /// The highest revision that was ever given.
    var revision: Int64
    /// The sums of all pending requests, combined by XOR: whatever row is missing, this is another number.
    var pending: Int64

    private var values: [DatabaseValue] {
        [transactions.databaseValue, revision.databaseValue, pending.databaseValue]
    }

    /// Nil where there is none that can be believed.
    static func read(_ database: Database) throws -> StoreHeader? {
        guard let row = try Row.fetchOne(database, sql: "SELECT transactions, revision, pending, sum FROM header")
        else {
            return nil
        }
        let numbers = Array(row.databaseValues).compactMap { Int64.fromDatabaseValue($0) }
        guard numbers.count == 4 else { return nil }
        let header = StoreHeader(transactions: numbers[0], revision: numbers[1], pending: numbers[2])
        return SummedTable.header.sum(header.values) == numbers[3] ? header : nil
    }

    func write(to database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO header VALUES (1, ?, ?, ?, ?)").execute(
            arguments: StatementArguments(values + [SummedTable.header.sum(values).databaseValue])
        )
    }

    /// With what the tables say now. Never a lower revision.
    func counted(in database: Database) throws -> StoreHeader {
        var header = self
        header.pending = 0
        let sums = try Int64.fetchCursor(database, sql: "SELECT sum FROM pending")
        while let sum = try sums.next() { header.pending ^= sum }
        for table in ["request", "pending", "place"] {
            let highest = try Int64.fetchOne(database, sql: "SELECT max(revision) FROM \(table)")
            header.revision = max(header.revision, highest ?? 0)
        }
        return header
    }
}
