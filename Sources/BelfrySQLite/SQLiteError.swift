import CSQLite

/// An error of SQLite, with its code and message (https://www.sqlite.org/rescode.html).
struct SQLiteError: Error, CustomStringConvertible {
    let extendedCode: Int32
    let message: String

    /// The primary code, such as `SQLITE_IOERR` for all disk failures.
    var code: Int32 { extendedCode & 0xFF }

    /// Whether the file itself is damaged.
    var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    var description: String { "SQLite \(extendedCode): \(message)" }

    /// Creates the error of the last call on a database.
    /// - Parameter database: Nil if it could not even be opened.
    init(_ code: Int32, _ database: OpaquePointer?) {
        extendedCode = database.map { sqlite3_extended_errcode($0) } ?? code
        message = String(cString: database.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }
}
