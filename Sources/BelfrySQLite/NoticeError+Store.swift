public import Belfry
import CSQLite
import Glibc

extension NoticeError.Code {
    /// Another process (or another part of this one) has the store open. Permanent until that one ends or closes it.
    public static let storeInUse = Self(rawValue: "storeInUse")
    /// A newer version of Belfry wrote the store. Permanent for this program.
    public static let storeTooNew = Self(rawValue: "storeTooNew")
}

extension NoticeError {
    /// Creates the error for a failed system call on a file.
    init(file path: String, _ deed: String, errno code: Int32) {
        let advice =
            switch code {
            case ENOSPC, EDQUOT: "Make room on its disk."
            case EROFS: "It is on a read-only file system: put the store elsewhere (XDG_STATE_HOME)."
            case EACCES, EPERM: "Give this user the right to read and write it, or put the store elsewhere."
            case ENOLCK, EOPNOTSUPP: "Its file system can't lock files: put the store on a local disk (XDG_STATE_HOME)."
            case EMFILE, ENFILE: "Close files, or raise the limit on open files."
            default: "See that the folder is there and its disk is well."
            }
        self.init(
            .storeFailed,
            "The store could not \(deed) '\(path)'. \(advice)",
            cause: "errno \(code): \(String(cString: strerror(code)))"
        )
    }

    /// Creates the error for a failure of SQLite or of JSON coding, with advice for the user of a store.
    init(store path: String, _ deed: String, _ error: any Error) {
        if let known = error as? NoticeError {
            self = known
            return
        }
        guard let error = error as? SQLiteError else {
            self.init(.storeFailed, "The store '\(path)' could not \(deed); nothing was changed.", cause: "\(error)")
            return
        }
        let advice =
            switch error.code {
            case SQLITE_FULL: "Its disk is full: make room and try again."
            case SQLITE_READONLY: "It can only be read: give this user the right to write it, or put it elsewhere."
            case SQLITE_IOERR: "Its disk failed to read or write: see that it is well, and that there is room."
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                "It is damaged: open it anew, which sets it aside and saves what can be read."
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
                "It can't be opened: see that its folder is there and this user may write in it."
            case SQLITE_BUSY, SQLITE_LOCKED: "Another program reads it with SQLite: close that one."
            case SQLITE_TOOBIG: "A request is larger than SQLite can store: make its content smaller."
            default: "Try again; if that fails as well, see that its disk is well."
            }
        self.init(
            .storeFailed,
            "The store '\(path)' could not \(deed); nothing was changed. \(advice)",
            cause: "\(error)"
        )
    }
}
