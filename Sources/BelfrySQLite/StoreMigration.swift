import Belfry
import FoundationEssentials

/// Creates the tables of ``SummedTable``, with the rows of an earlier version's tables.
///
/// The caller runs it in a transaction. Values of a wrong type have already been rejected (``StoreCheck``).
enum StoreMigration {
    static func run(_ database: SQLiteDatabase) throws {
        let highest = try highestRevision(of: database)
        for table in SummedTable.all {
            let existing = Set(try database.columns(of: table.name).map(\.name))
            let old = "old_\(table.name)"
            if !existing.isEmpty { try database.execute("ALTER TABLE \(table.name) RENAME TO \(old)") }
            try database.execute(table.creation)
            guard !existing.isEmpty else { continue }
            let columns = table.columns.map { existing.contains($0) ? $0 : "NULL" }
            try database.forEach("SELECT \(columns.joined(separator: ", ")) FROM \(old)") { row in
                try table.insert(table.columns.indices.map(row.value), into: database)
            }
            try database.execute("DROP TABLE \(old)")
        }
        try database.execute("CREATE INDEX ledgerByRequest ON ledger (key)")
        if try database.hasTable("progress") { try replaceProgress(in: database) }
        try fillOutcomes(in: database)
        let header = StoreHeader(transactions: 0, revision: highest ?? 0, pending: 0)
        try header.counted(in: database).write(to: database)
    }

    /// Creates empty tables as earlier versions had them: without checksums, for rows that were salvaged.
    static func createEarlierTables(_ names: [String], in database: SQLiteDatabase) throws {
        for table in SummedTable.all where names.contains(table.name) { try database.execute(table.earlierCreation) }
        guard names.contains("progress") else { return }
        try database.execute(
            """
            CREATE TABLE progress (
                revision INTEGER PRIMARY KEY, anchor INTEGER NOT NULL, fired INTEGER NOT NULL,
                lastDue INTEGER, lastLocal INTEGER
            )
            """
        )
    }

    /// Returns the highest revision ever assigned in a file of an earlier version, whose key is AUTOINCREMENT. Later it
    /// is in ``StoreHeader``.
    static func highestRevision(of database: SQLiteDatabase) throws -> Int64? {
        guard try database.hasTable("sqlite_sequence") else { return nil }
        return try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'request'") { $0.integer(0) }
    }

    /// Replaces the table `progress` of the first version by rows of `pending`.
    private static func replaceProgress(in database: SQLiteDatabase) throws {
        // The program's own kinds are not registered here: they are marked by their text, like all but the shortest.
        let reader = RequestReader(triggers: .standard)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try database.forEach(
            """
            SELECT progress.revision, anchor, fired, lastDue, lastLocal, body, kind, payload
            FROM progress JOIN request ON request.revision = progress.revision ORDER BY progress.revision
            """
        ) { row in
            guard let revision = row.integer(0), let anchor = row.integer(1), let fired = row.integer(2),
                let body = row.blob(5)
            else { throw FoundDamage("a row of the table 'progress' or 'request' has a value of a wrong type") }
            let stored = RequestRow(revision: revision, body: body, kind: row.blob(6), payload: row.blob(7))
            let progress = TriggerProgress(
                anchor: anchor,
                fired: Int(fired),
                lastDue: row.integer(3),
                lastLocal: row.integer(4)
            )
            let values: [SQLiteValue]
            if let request = try? reader.read(stored) {
                values = try PendingRow(request, stored, progress, encoder).values
            } else {
                let unknown = SummedTable.pending.columns.dropFirst(6).map { _ in SQLiteValue.null }
                values = [.integer(revision), .blob(Data())] + (1...4).map(row.value) + unknown
            }
            try SummedTable.pending.insert(values, into: database)
        }
        try database.execute("DROP TABLE progress")
    }

    /// Fills a column of the history that the first version did not have.
    private static func fillOutcomes(in database: SQLiteDatabase) throws {
        let table = SummedTable.history
        let decoder = JSONDecoder()
        try database.forEach("\(table.selection) WHERE outcome IS NULL") { row in
            guard let body = row.blob(3), let entry = try? decoder.decode(HistoryEntry.self, from: body) else { return }
            var values = table.columns.indices.map(row.value)
            values[4] = .blob(Data(entry.outcome.rawValue.utf8))
            try table.insert(values, into: database)
        }
    }
}
