import CSQLite
import FoundationEssentials

/// A compiled statement, with its current row.
///
/// Columns are read by their position. A missing column, or a value of another type than requested, is nil. A damaged
/// file may contain anything, and reading it must not crash the program.
final class SQLiteStatement {
    private let handle: OpaquePointer
    /// Whether its rows are being read. Set by its database.
    var isInUse = false

    init(_ sql: String, _ database: OpaquePointer?) throws {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v2(database, sql, -1, &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw SQLiteError(code, database) }
        handle = compiled
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds the statement's parameters, in order.
    func bind(_ values: [SQLiteValue]) throws {
        for (index, value) in zip((1 as Int32)..., values) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .real(let number): sqlite3_bind_double(handle, index, number)
                case .text(var text):
                    text.withUTF8 { bytes in
                        bytes.withMemoryRebound(to: CChar.self) {
                            belfry_sqlite_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count))
                        }
                    }
                // Empty data may have no address, which SQLite would store as NULL.
                case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
                case .blob(let bytes):
                    bytes.withUnsafeBytes {
                        belfry_sqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// Moves to the next row. Returns false if there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Resets the statement and clears its values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func error(_ code: Int32) -> SQLiteError { SQLiteError(code, sqlite3_db_handle(handle)) }

    // MARK: The row

    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    func integer(_ column: Int) -> Int64? {
        type(column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, Int32(column)) : nil
    }

    /// A number, with or without a fraction.
    func real(_ column: Int) -> Double? {
        switch type(column) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(handle, Int32(column))
        default: nil
        }
    }

    func blob(_ column: Int) -> Data? {
        type(column) == SQLITE_BLOB ? Data(bytes(column)) : nil
    }

    /// A text, whether it is stored as text or as a blob of UTF-8.
    func text(_ column: Int) -> String? {
        switch type(column) {
        case SQLITE_TEXT, SQLITE_BLOB: String(decoding: bytes(column), as: UTF8.self)
        default: nil
        }
    }

    func value(_ column: Int) -> SQLiteValue {
        switch type(column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, Int32(column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: .text(String(decoding: bytes(column), as: UTF8.self))
        case SQLITE_BLOB: .blob(Data(bytes(column)))
        default: .null
        }
    }

    /// Adds a column to a checksum, without a copy of its bytes.
    func add(_ column: Int, to sum: inout RowSum) {
        switch type(column) {
        case SQLITE_INTEGER: sum.add(sqlite3_column_int64(handle, Int32(column)))
        case SQLITE_FLOAT: sum.add(sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: sum.add(text: bytes(column))
        case SQLITE_BLOB: sum.add(blob: bytes(column))
        default: sum.addNull()
        }
    }

    private func type(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(column)) }

    /// The bytes of a text or a blob, until the next step.
    private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
    }
}
