import CSQLite

/// An error for a store's file, or a part of it, that differs from what was written.
struct FoundDamage: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    /// Interprets an error that occurred while a store was being opened: SQLite reports a damaged schema as a wrong
    /// statement. Nil if the error is not about the file's contents.
    init?(opening error: any Error) {
        switch error {
        case let damage as FoundDamage: self = damage
        case let error as SQLiteError:
            switch error.code {
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA,
                SQLITE_RANGE, SQLITE_FORMAT:
                reason = error.message
            default: return nil
            }
        default: return nil
        }
    }
}
