import CSQLite

/// An error of SQLite's: its code and its words (https://www.sqlite.org/rescode.html).
struct SQLiteError: Error, CustomStringConvertible {
    let extendedCode: Int32
    let message: String

    /// The primary code, such as `SQLITE_IOERR` for all of the disk's failures.
    var code: Int32 { extendedCode & 0xFF }

    /// The file itself is not what SQLite wrote.
    var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    var description: String { "SQLite \(extendedCode): \(message)" }

    /// What the last call on a database came to.
    /// - Parameter database: Nil where it could not even be opened.
    init(_ code: Int32, _ database: OpaquePointer?) {
        extendedCode = database.map { sqlite3_extended_errcode($0) } ?? code
        message = String(cString: database.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }
}
