import Belfry
import Foundation
import GRDB
internal import GRDBSQLite

/// A store's file, or a part of it, is not what was written.
struct FoundDamage: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    /// What an error means that came while a store was being opened: SQLite takes a damaged schema for a wrong statement. Nil
    /// where it says nothing of the file's contents.
    init?(opening error: any Error) {
        switch error {
        case let damage as FoundDamage: self = damage
        case let error as RowDecodingError: reason = "\(error)"
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_SCHEMA,
                .SQLITE_RANGE, .SQLITE_FORMAT:
                reason = error.message ?? "\(error.extendedResultCode)"
            default: return nil
            }
        default: return nil
        }
    }
}

/// Looks for damage in a file that is being opened.
struct StoreCheck {
    let database: Database
    /// Every page and every row; else those that opening reads anyway, and the tables that are always small.
    let isWhole: Bool

    /// Before anything is migrated. Throws ``FoundDamage``, or ``NoticeError/Code/storeTooNew``.
    func run(_ path: String) throws {
        // `quick_check` leaves out whether indexes have all rows.
        let parts = isWhole ? ["3"] : ["'delivery'", "'response'", "'setting'", "'header'"]
        let existing = try Set(StoreSchema.tables(database).map { "'\($0)'" })
        for part in parts where isWhole || existing.contains(part) {
            let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(part))")
            guard findings == ["ok"] else { throw FoundDamage(findings.prefix(3).joined(separator: "; ")) }
        }
        try checkVersion(path)
        guard isWhole else { return }
        for name in try StoreSchema.tables(database) {
            guard let table = SummedTable.all.first(where: { $0.name == name }), try hasSums(table) else {
                try checkTypes(name)
                continue
            }
            let rows = try damagedRows(of: table)
            guard let first = rows.first else { continue }
            let more = rows.count > 1 ? ", and \(rows.count - 1) more" : ""
            throw FoundDamage("row \(first) of the table '\(name)' does not match its checksum\(more)")
        }
        try checkContents()
    }

    /// A newer version has all of this one's migrations and more; whatever else is not in order is damage.
    private func checkVersion(_ path: String) throws {
        guard try database.tableExists("grdb_migrations") else { return }
        let migrator = StoreSchema.migrator
        let known = migrator.migrations
        let applied = try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
        if applied.subtracting(known).isEmpty {
            let expected = known.prefix(applied.count)
            guard applied == Set(expected) else { throw FoundDamage("its list of migrations has a gap") }
        } else if applied.isSuperset(of: known) {
            throw NoticeError(
                .storeTooNew,
                "The store '\(path)' was written by a newer version of Belfry: use that version, or another "
                    + "application identifier. Nothing was changed."
            )
        } else {
            throw FoundDamage("its list of migrations names one that there never was")
        }
    }

    private func hasSums(_ table: SummedTable) throws -> Bool {
        try database.columns(in: table.name).contains { $0.name == table.sums[0].name }
    }

    /// What an earlier version wrote is not STRICT: there a value may be of any type.
    private func checkTypes(_ table: String) throws {
        let shape = try TableShape(table, database)
        let rule = shape.columns.map(\.isSound).joined(separator: " AND ")
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table) WHERE NOT (\(rule))") ?? 0
        if count > 0 { throw FoundDamage("\(count) rows of the table '\(table)' have values of a wrong type") }
    }

    /// The keys of the rows whose sums don't fit; in a loop without objects, since there may be a million.
    private func damagedRows(of table: SummedTable) throws -> [Int64] {
        var found: [Int64] = []
        for sum in table.sums {
            let columns = ([table.key] + sum.columns + [sum.name]).joined(separator: ", ")
            let label = RowSum(table.label(of: sum))
            let last = Int32(sum.columns.count + 1)
            try database.forEachRow("SELECT \(columns) FROM \(table.name)") { row in
                var check = label
                for column in 1..<last { check.add(row, column) }
                guard sqlite3_column_int64(row, last) != check.value else { return }
                found.append(sqlite3_column_int64(row, 0))
            }
        }
        return found
    }

    /// Each pending request has its content.
    private func checkContents() throws {
        guard try database.tableExists("pending"), try database.tableExists("request") else { return }
        let sql = "SELECT count(*) FROM pending WHERE revision NOT IN (SELECT revision FROM request)"
        let count = try Int.fetchOne(database, sql: sql) ?? 0
        if count > 0 { throw FoundDamage("\(count) pending requests have no content") }
    }
}

extension Database {
    /// Steps through a query by SQLite's own functions, which cost a fraction of GRDB's rows.
    func forEachRow(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
        let statement = try makeStatement(sql: sql)
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(handle)
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: sqliteConnection.map { sqlite3_extended_errcode($0) } ?? code),
                    message: sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
                )
            }
        }
    }
}
