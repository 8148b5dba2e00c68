import Belfry

/// The evidence, before a store is opened, of how many acknowledged transactions it must contain.
///
/// In a log with a damaged frame, SQLite silently finds an earlier end. If a file is missing, SQLite creates a new one.
struct LogEvidence {
    let mark: CommitMark.Reading?
    let hasLog: Bool
    let ending: WriteAheadLog.Ending

    init(of folder: StoreFolder) {
        mark = CommitMark.read(folder.mark)
        let log = WriteAheadLog(folder.database + "-wal")
        hasLog = log != nil
        ending = log?.ending ?? .clean
    }

    /// Whether the log is known to contain transactions that SQLite doesn't read.
    func hasUnreadTransactions(after transactions: Int64) -> Bool {
        if let mark, mark.transactions > transactions { return true }
        if let mark, mark.isExact { return false }
        if case .broken = ending { return true }
        return false
    }

    /// Throws ``FoundDamage`` if acknowledged transactions are missing. Returns a report if the last one may be.
    func doubt(about database: SQLiteDatabase) throws -> NoticeStore.Damage? {
        let held = try database.hasTable("header") ? StoreHeader.read(database)?.transactions ?? 0 : 0
        if let mark, mark.transactions > held {
            throw FoundDamage("\(mark.transactions - held) transactions that were acknowledged are missing")
        }
        // The machine has run since then, so the rest of the log was never acknowledged.
        if let mark, mark.isExact { return nil }
        switch ending {
        case .clean: return nil
        case .broken(let count): throw FoundDamage("\(count) transactions or more at the end of its log are damaged")
        case .doubtful:
            return NoticeStore.Damage(
                reason: "the last transaction in its log can't be read",
                losses: [
                    "It was being written when the machine stopped, or was damaged later: look whether the last change "
                        + "is there."
                ]
            )
        }
    }
}
