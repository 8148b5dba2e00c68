/// The fourth migration: the same rows in STRICT tables, each with its checksum, and one row that sums them up.
///
/// Values of a wrong type have been sorted out before (``StoreCheck``).
enum IntegrityMigration {
    /// The tables as they are from now on. The sums go over the columns that ``SummedTable`` names.
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
            .region,
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
            .history,
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

    @Sendable static func run(_ database: SQLiteDatabase) throws {
        // No more AUTOINCREMENT: ``StoreHeader`` has the highest revision, in a row that has a checksum.
        let highest = try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'request'") { $0.integer(0) }
        for (table, definition) in tables {
            let old = "old_\(table.name)"
            try database.execute(
                "ALTER TABLE \(table.name) RENAME TO \(old); CREATE TABLE \(table.name) (\(definition)) STRICT"
            )
            let columns = table.columns.indices
            try database.forEach("SELECT \(table.columns.joined(separator: ", ")) FROM \(old)") { row in
                try table.insert(columns.map(row.value), into: database)
            }
            try database.execute("DROP TABLE \(old)")
        }
        try database.execute(
            """
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
        let header = StoreHeader(transactions: 0, revision: highest ?? 0, pending: 0)
        try header.counted(in: database).write(to: database)
    }
}
