import Foundation
import GRDB

/// The tables. Migrations are only ever appended: one that has been released never changes.
///
/// Texts are blobs of UTF-8, since SQLite's own texts end at a NUL for many of its readers. Every table has a number as
/// its key, so that a damaged one can be read around the damage.
enum StoreSchema {
    static let tables = ["request", "progress", "delivery", "response", "ledger", "setting"]

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1-requests-deliveries-responses-ledger-settings", foreignKeyChecks: .immediate) {
            database in
            try database.execute(
                sql: """
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
            )
        }
        return migrator
    }()

    /// The form in which two texts that Swift holds for equal have the same bytes.
    static func key(_ text: String) -> Data {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Data(text.utf8) }
        return Data(text.precomposedStringWithCanonicalMapping.utf8)
    }

    enum Setting: String {
        case categories, authorization, clockMapping

        var key: Data { StoreSchema.key(rawValue) }
    }
}
