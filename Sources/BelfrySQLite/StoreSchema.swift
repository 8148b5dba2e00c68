import FoundationEssentials
@_spi(_Unicode) import Swift

/// The tables of a store's file, and the versions that it may have.
///
/// Texts are blobs of UTF-8, because many readers end SQLite's own texts at a NUL. Every table has a number as its key,
/// so that a damaged one can be read around the damage.
enum StoreSchema {
    /// The versions so far. A file lists its own version and all earlier ones; ``StoreMigration`` adds the others.
    static let versions = [
        // The requests' progress in a table of its own, and none of what decides when they fire.
        "1-requests-deliveries-responses-ledger-settings",
        "2-pending-without-content-ledger-columns",
        "3-places",
        // From here on, rows have checksums, and columns accept only values of their types.
        "4-checksums-strict",
    ]

    /// Creates the tables, or replaces those of an earlier version.
    static func migrate(_ database: SQLiteDatabase) throws {
        // Table and column have the names of the library that earlier versions used.
        try database.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let missing = try Set(versions).subtracting(applied(database))
        guard !missing.isEmpty else { return }
        try database.transaction {
            try StoreMigration.run(database)
            for name in missing.sorted() {
                try database.run("INSERT INTO grdb_migrations VALUES (?)", [.text(name)])
            }
        }
    }

    /// Returns the versions that a file lists.
    static func applied(_ database: SQLiteDatabase) throws -> Set<String> {
        guard try database.hasTable("grdb_migrations") else { return [] }
        return Set(try database.all("SELECT identifier FROM grdb_migrations") { $0.text(0) })
    }

    /// Returns the existing tables, without SQLite's own and the list of migrations.
    static func tables(_ database: SQLiteDatabase) throws -> [String] {
        try database.all(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
            ORDER BY rowid
            """
        ) { $0.text(0) }
    }

    // MARK: Keys

    /// Returns the form in which two texts that are equal in Swift have the same bytes.
    static func key(_ text: String) -> Data {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Data(text.utf8) }
        // NFC, by which the standard library compares texts. Foundation's function would link ICU into every program.
        var normalized = String.UnicodeScalarView()
        normalized.append(contentsOf: text._nfc)
        return Data(String(normalized).utf8)
    }

    enum Setting: String {
        case categories, authorization, clockMapping, quietHours, placeMarks

        var key: Data { StoreSchema.key(rawValue) }
    }

    /// The key of the setting with an owner's entries.
    static func ownerKey(_ owner: String) -> Data { Data(ownerPrefix.utf8) + key(owner) }
    static let ownerPrefix = "owner:"
    /// The key of the setting with a feed's record.
    static func feedKey(_ name: String) -> Data { Data(feedPrefix.utf8) + key(name) }
    /// The name of a feed when the first stores were written.
    static let feedPrefix = "window:"
}
