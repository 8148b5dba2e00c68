import Foundation
import GRDB

/// The fourth migration: the same rows in STRICT tables, each with its checksum, and one row that sums them up.
///
/// Values of a wrong type have been sorted out before (``StoreCheck``).
enum IntegrityMigration {
    /// The tables as they are from now on. `sum` and `progressSum` are ``RowSum``, over the columns that ``SummedTable`` names.
    private static let tables: [(table: SummedTable, definition: String)] = [
        (
            .request,
            """
            revision INTEGER PRIMARY KEY,
            body BLOB NOT NULL,
            kind BLOB,
            payload BLOB,
            sum INTEGER NOT NULL
            """
        ),
        (
            .pending,
            """
            revision INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            anchor INTEGER NOT NULL,
            fired INTEGER NOT NULL,
            lastDue INTEGER,
            lastLocal INTEGER,
            shape INTEGER,
            -- An integer or a real: ANY keeps either as it is.
            value ANY,
            times INTEGER,
            traits BLOB,
            latitude REAL,
            longitude REAL,
            radius REAL,
            sum INTEGER NOT NULL,
            progressSum INTEGER NOT NULL
            """
        ),
        (
            .place,
            """
            revision INTEGER PRIMARY KEY,
            inside INTEGER NOT NULL,
            sinceWall INTEGER,
            sinceBoot INTEGER,
            sum INTEGER NOT NULL
            """
        ),
        (.delivery, keyed), (.response, keyed), (.setting, keyed),
        (
            .ledger,
            """
            serial INTEGER PRIMARY KEY,
            key BLOB NOT NULL,
            at INTEGER NOT NULL,
            body BLOB NOT NULL,
            outcome BLOB,
            thread BLOB,
            sum INTEGER NOT NULL
            """
        ),
    ]

    private static let keyed = """
        serial INTEGER PRIMARY KEY,
        key BLOB NOT NULL UNIQUE,
        body BLOB NOT NULL,
        sum INTEGER NOT NULL
        """

    static func run(_ database: Database) throws {
        let function = DatabaseFunction("belfry_row_sum", pure: true) { values in
            RowSum.of(values.first.flatMap(String.fromDatabaseValue) ?? "", values.dropFirst())
        }
        database.add(function: function)
        defer { database.remove(function: function) }
        // No more AUTOINCREMENT: ``StoreHeader`` has the highest revision, in a row that has a checksum.
        let sequence = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'request'), 0)"
        let highest = try Int64.fetchOne(database, sql: sequence) ?? 0
        for (table, definition) in tables { try rebuild(table, as: definition, database) }
        try database.execute(
            sql: """
                CREATE INDEX ledgerByRequest ON ledger (key);
                CREATE TABLE header (
                    serial INTEGER PRIMARY KEY,
                    transactions INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    pending INTEGER NOT NULL,
                    sum INTEGER NOT NULL
                ) STRICT;
                """
        )
        let header = StoreHeader(transactions: 0, revision: highest, pending: 0)
        try header.counted(in: database).write(to: database)
    }

    private static func rebuild(_ table: SummedTable, as definition: String, _ database: Database) throws {
        let columns = try database.columns(in: table.name).map(\.name).joined(separator: ", ")
        let names = table.sums.map(\.name).joined(separator: ", ")
        let sums = table.sums.map { "belfry_row_sum('\(table.label(of: $0))', \($0.columns.joined(separator: ", ")))" }
            .joined(separator: ", ")
        try database.execute(
            sql: """
                CREATE TABLE new_\(table.name) (\(definition)) STRICT;
                INSERT INTO new_\(table.name) (\(columns), \(names)) SELECT \(columns), \(sums) FROM \(table.name);
                DROP TABLE \(table.name);
                ALTER TABLE new_\(table.name) RENAME TO \(table.name);
                """
        )
    }
}
