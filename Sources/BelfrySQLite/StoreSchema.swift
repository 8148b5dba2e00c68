import FoundationEssentials
@_spi(_Unicode) import Swift

/// The tables, and the migrations of files of earlier versions.
///
/// Migrations are only appended: a released one never changes.
///
/// Texts are blobs of UTF-8, because many readers end SQLite's own texts at a NUL. Every table has a number as its key,
/// so that a damaged one can be read around the damage.
enum StoreSchema {
    struct Migration: Sendable {
        let name: String
        let run: @Sendable (SQLiteDatabase) throws -> Void
    }

    static let migrations = [
        Migration(name: "1-requests-deliveries-responses-ledger-settings") { try $0.execute(firstTables) },
        Migration(name: "2-pending-without-content-ledger-columns") { database in
            try database.execute(pendingTable)
            try StoreMigration.fillPending(database)
            try StoreMigration.fillHistory(database)
            try database.execute("DROP TABLE progress")
        },
        Migration(name: "3-places") { try $0.execute(regionTables) },
        // From here on, rows have checksums, and columns accept only values of their types.
        Migration(name: "4-checksums-strict", run: IntegrityMigration.run),
    ]

    /// - Parameter last: The last migration to apply.
    static func migrate(_ database: SQLiteDatabase, upTo last: String = migrations[migrations.count - 1].name) throws {
        // Table and column have the names of the library that earlier versions used.
        try database.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let applied = try applied(database)
        for migration in migrations {
            if !applied.contains(migration.name) {
                try database.transaction {
                    try migration.run(database)
                    try database.run("INSERT INTO grdb_migrations VALUES (?)", [.text(migration.name)])
                }
            }
            if migration.name == last { return }
        }
    }

    /// Returns the names of the migrations applied to a file.
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

    private static let firstTables = """
        -- AUTOINCREMENT: no revision is given twice, although its row is long gone.
        CREATE TABLE request (
            revision INTEGER PRIMARY KEY AUTOINCREMENT,
            -- All of the request but its trigger, as JSON.
            body BLOB NOT NULL,
            -- NULL: there is no trigger.
            kind BLOB,
            payload BLOB
        );
        -- The pending requests. Apart from their content, so that firing rewrites a few bytes.
        CREATE TABLE progress (
            revision INTEGER PRIMARY KEY,
            anchor INTEGER NOT NULL,
            fired INTEGER NOT NULL,
            lastDue INTEGER,
            lastLocal INTEGER
        );
        CREATE TABLE delivery (serial INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, body BLOB NOT NULL);
        CREATE TABLE response (serial INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, body BLOB NOT NULL);
        CREATE TABLE ledger (
            serial INTEGER PRIMARY KEY AUTOINCREMENT,
            -- The request's identifier, in the one form (NFC) by which texts are compared.
            key BLOB NOT NULL,
            -- Microseconds since 1970.
            at INTEGER NOT NULL,
            body BLOB NOT NULL
        );
        CREATE INDEX ledgerByRequest ON ledger (key);
        CREATE TABLE setting (serial INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, body BLOB NOT NULL);
        """

    private static let pendingTable = """
        -- The pending requests with all that decides when they fire: opening reads this table and no content.
        CREATE TABLE pending (
            revision INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            anchor INTEGER NOT NULL,
            fired INTEGER NOT NULL,
            lastDue INTEGER,
            lastLocal INTEGER,
            -- TriggerForm; NULL: the row's content could not be read when it was carried over.
            shape INTEGER,
            value NUMERIC,
            times INTEGER,
            -- RequestTraits as JSON; NULL: the usual ones.
            traits BLOB
        );
        ALTER TABLE ledger ADD COLUMN outcome BLOB;
        -- In the form of the key.
        ALTER TABLE ledger ADD COLUMN thread BLOB;
        """

    private static let regionTables = """
        -- The region that a pending request waits for; NULL: it waits for none, or its text says it.
        ALTER TABLE pending ADD COLUMN latitude REAL;
        ALTER TABLE pending ADD COLUMN longitude REAL;
        ALTER TABLE pending ADD COLUMN radius REAL;
        -- RegionProgress of pending requests: of those that the position is in, or that a dwell time runs for.
        CREATE TABLE place (
            revision INTEGER PRIMARY KEY,
            inside INTEGER NOT NULL,
            -- Microseconds, on both clocks.
            sinceWall INTEGER,
            sinceBoot INTEGER
        );
        """

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
