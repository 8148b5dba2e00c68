import CSQLite

/// A connection to an SQLite file.
///
/// It belongs to whoever has opened it: not being `Sendable`, it stays within one actor or one function. Once it has
/// been closed, every call throws `SQLITE_MISUSE`.
final class SQLiteDatabase {
    private var handle: OpaquePointer?
    /// Compiled statements that nobody steps through, by their text. Texts are few: what varies is bound.
    private var idle: [String: SQLiteStatement] = [:]

    /// Opens a file, and creates it where there is none.
    init(_ path: String) throws {
        // No lock of SQLite's own: see above.
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else {
            let error = SQLiteError(code, handle)
            close()
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit { close() }

    func close() {
        idle = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    /// Runs statements that take no values, and whose rows nobody wants.
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

    /// What `read` makes of each row, but for nil.
    func all<Value>(
        _ sql: String,
        _ values: [SQLiteValue] = [],
        _ read: (SQLiteStatement) throws -> Value?
    ) throws -> [Value] {
        var all: [Value] = []
        try forEach(sql, values) { row in if let value = try read(row) { all.append(value) } }
        return all
    }

    /// What `read` makes of the first row; nil where there is none.
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
        // Taken out of the table: the same text may be run while its rows are walked through.
        let statement = try idle.removeValue(forKey: sql) ?? SQLiteStatement(sql, handle)
        defer {
            statement.reset()
            idle[sql] = statement
        }
        try statement.bind(values)
        return try body(statement)
    }

    /// How many rows the last statement has inserted, changed or deleted.
    var changeCount: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }

    /// Makes all of `body` durable, or nothing of it.
    func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // SQLite has undone it by itself where the disk failed.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: Tables and files

    func hasTable(_ name: String) throws -> Bool {
        try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) { _ in true } ?? false
    }

    /// The columns of a table; none where there is no such table.
    func columns(of table: String) throws -> [TableColumn] {
        try all("SELECT name, type, \"notnull\" OR pk FROM pragma_table_info(?)", [.text(table)]) { row in
            TableColumn(name: row.text(0) ?? "", type: row.text(1) ?? "", isOptional: row.integer(2) == 0)
        }
    }

    /// Whether the log stays where it is when the file is closed; its pages come into the file all the same.
    func keepLogWhenClosed(_ keep: Bool) throws {
        guard let handle else { throw SQLiteError(SQLITE_MISUSE, nil) }
        var flag: Int32 = keep ? 1 : 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &flag)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }
}
