import Belfry
import Foundation

@testable import BelfrySQLite

/// Files as earlier versions of Belfry wrote them. What these statements create never changes.
enum EarlierVersion: Int, CaseIterable {
    case first = 1
    case second, third

    /// The file of a store in a folder that this makes, with all tables and no rows.
    func makeFile(in folder: String) throws -> SQLiteDatabase {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try SQLiteDatabase(folder + "/store.sqlite")
        try database.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        for (script, name) in zip(Self.scripts, StoreSchema.versions).prefix(rawValue) {
            try database.execute(script)
            try database.run("INSERT INTO grdb_migrations VALUES (?)", [.text(name)])
        }
        return database
    }

    /// Writes a request, and its progress where this version had that.
    func insert(_ row: RequestRow, of request: NoticeRequest?, _ progress: TriggerProgress, into file: SQLiteDatabase)
        throws
    {
        try file.run(
            "INSERT INTO request VALUES (?, ?, ?, ?)",
            [.integer(row.revision), .blob(row.body), SQLiteValue(row.kind), SQLiteValue(row.payload)]
        )
        if let request, self != .first {
            // The third version added the region.
            let values = try PendingRow(request, row, progress, JSONEncoder()).values.prefix(self == .second ? 10 : 13)
            let marks = values.map { _ in "?" }.joined(separator: ", ")
            try file.run("INSERT INTO pending VALUES (\(marks))", Array(values))
        } else {
            try file.run(
                "INSERT INTO progress VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(row.revision), .integer(progress.anchor), .integer(Int64(progress.fired)),
                    SQLiteValue(progress.lastDue), SQLiteValue(progress.lastLocal),
                ]
            )
        }
    }

    func insert(_ entry: HistoryEntry, into file: SQLiteDatabase) throws {
        try file.run(
            "INSERT INTO ledger (key, at, body) VALUES (?, ?, ?)",
            [
                .blob(StoreSchema.key(entry.requestID)), .integer(entry.date.microsecondsSince1970),
                .blob(try JSONEncoder().encode(entry)),
            ]
        )
        guard self != .first else { return }
        try file.run("UPDATE ledger SET outcome = ?", [.blob(Data(entry.outcome.rawValue.utf8))])
    }

    private static let scripts = [
        """
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
        """,
        """
        DROP TABLE progress;
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
        """,
        """
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
        """,
    ]
}
