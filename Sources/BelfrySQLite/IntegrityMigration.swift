/// The fourth migration: the same rows in STRICT tables, each with a checksum, and one row that combines them.
///
/// The tables are those of ``SummedTable``. If you change one of them, record its old definition here. Values of a
/// wrong type have already been rejected (``StoreCheck``).
enum IntegrityMigration {
    @Sendable static func run(_ database: SQLiteDatabase) throws {
        // AUTOINCREMENT is no longer needed: ``StoreHeader`` has the highest revision, in a row with a checksum.
        let highest = try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'request'") { $0.integer(0) }
        for table in SummedTable.all where table.name != SummedTable.header.name {
            let old = "old_\(table.name)"
            try database.execute("ALTER TABLE \(table.name) RENAME TO \(old)")
            try database.execute(table.creation)
            try database.forEach("SELECT \(table.columns.joined(separator: ", ")) FROM \(old)") { row in
                try table.insert(table.columns.indices.map(row.value), into: database)
            }
            try database.execute("DROP TABLE \(old)")
        }
        try database.execute("CREATE INDEX ledgerByRequest ON ledger (key)")
        try database.execute(SummedTable.header.creation)
        let header = StoreHeader(transactions: 0, revision: highest ?? 0, pending: 0)
        try header.counted(in: database).write(to: database)
    }
}
