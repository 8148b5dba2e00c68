import CSQLite

/// A store's file, or a part of it, is not what was written.
struct FoundDamage: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    /// What an error means that came while a store was being opened: SQLite takes a damaged schema for a wrong
    /// statement. Nil where it says nothing of the file's contents.
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
