import Belfry
import CSQLite

/// A connection to an SQLite file.
///
/// It isn't `Sendable`, so it stays within the actor or function that opened it. After it has been closed, every call
/// throws `SQLITE_MISUSE`.
final class SQLiteDatabase {
    private var handle: OpaquePointer?
    /// Compiled statements, by their text. Texts are few, because values are bound.
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a file, and creates it if there is none.
    init(_ path: String) throws {
        // SQLite needs no mutex of its own, because the connection isn't shared.
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else {
            let error = SQLiteError(code, handle)
            close()
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit { close() }

    /// Sets the time that a statement waits, and blocks its thread, while another connection has the file.
    func setBusyTimeout(_ limit: Duration) {
        sqlite3_busy_timeout(handle, Int32(clamping: max(0, (limit.microseconds + 999) / 1_000)))
    }

    func close() {
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    /// Runs statements without values, and ignores their rows.
    func execute(_ script: String) throws {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }

    /// Runs one statement with values for its parameters.
    func run(_ sql: String, _ values: [SQLiteValue] = []) throws {
        try withStatement(sql, values) { while try $0.step() {} }
    }

    func forEach(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) throws -> Void) throws {
        try withStatement(sql, values) { row in while try row.step() { try body(row) } }
    }

    /// Returns the results of `read` for all rows, without nil.
    func all<Value>(
        _ sql: String,
        _ values: [SQLiteValue] = [],
        _ read: (SQLiteStatement) throws -> Value?
    ) throws -> [Value] {
        var all: [Value] = []
        try forEach(sql, values) { row in if let value = try read(row) { all.append(value) } }
        return all
    }

    /// Returns the result of `read` for the first row; nil if there is none.
    func first<Value>(
        _ sql: String,
        _ values: [SQLiteValue] = [],
        _ read: (SQLiteStatement) throws -> Value?
    ) throws -> Value? {
        try withStatement(sql, values) { row in try row.step() ? read(row) : nil }
    }

    private func withStatement<Value>(
        _ sql: String,
        _ values: [SQLiteValue],
        _ body: (SQLiteStatement) throws -> Value
    ) throws -> Value {
        let statement = try unusedStatement(sql)
        statement.isInUse = true
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(values)
        return try body(statement)
    }

    private func unusedStatement(_ sql: String) throws -> SQLiteStatement {
        let known = statements[sql]
        if let known, !known.isInUse { return known }
        let statement = try SQLiteStatement(sql, handle)
        // The same text may be run again while its rows are being read. The second statement isn't kept.
        if known == nil { statements[sql] = statement }
        return statement
    }

    /// The number of rows that the last statement inserted, changed or deleted.
    var changeCount: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }

    /// Runs `body` as one transaction, which is durable as a whole or has no effect.
    func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // If the disk failed, SQLite has already rolled it back.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: Tables and files

    func hasTable(_ name: String) throws -> Bool {
        try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) { _ in true } ?? false
    }

    /// The columns of a table; empty if there is no such table.
    func columns(of table: String) throws -> [TableColumn] {
        try all("SELECT name, type, \"notnull\" OR pk FROM pragma_table_info(?)", [.text(table)]) { row in
            TableColumn(name: row.text(0) ?? "", type: row.text(1) ?? "", isOptional: row.integer(2) == 0)
        }
    }

    /// Sets whether the log file is kept when the database is closed; its pages are moved into the file in either case.
    func keepLogWhenClosed(_ keep: Bool) throws {
        guard let handle else { throw SQLiteError(SQLITE_MISUSE, nil) }
        var flag: Int32 = keep ? 1 : 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &flag)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }
}
