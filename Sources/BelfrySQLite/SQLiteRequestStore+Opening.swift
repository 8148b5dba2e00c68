import Belfry
import Foundation
import GRDB
internal import GRDBSQLite
import Synchronization

extension SQLiteRequestStore {
    /// Where an app's own store is: `$XDG_STATE_HOME/belfry/apps/<app id>`, `~/.local/state/belfry/apps/<app id>` without
    /// that variable. Throws ``NoticeError/Code/invalidIdentifier`` where the identifier can't name a folder.
    public static func folder(
        for app: AppIdentity,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NoticeError) -> String { try StoreFolder.path(of: app.id, environment) }

    /// Whether there is a store in a folder: who only reads asks this first, since ``open(in:options:)`` makes one.
    public static func exists(in folder: String) -> Bool {
        let place = StoreFolder(path: folder)
        return [place.database, place.rescued].contains(where: StoreFolder.exists)
    }

    /// Opens an app's own store, and makes it where there is none. Throws as ``open(in:options:)`` does.
    public static func open(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore { try await open(in: folder(for: app), options: options) }

    /// Opens the store in a folder of its own, and makes both where there are none (folder 0700, file 0600). O(n): what is
    /// pending is read. A file under 16 MB, one that was not closed in good order, and one in which damage was come upon is
    /// checked whole; where it is damaged, it is set aside and replaced by what can be read of it (``openingReport``).
    /// Damage is also kept in the store's folder, until it is acknowledged.
    ///
    /// Throws ``NoticeError/Code/storeInUse`` naming the owner when ``SQLiteStoreOptions/lockWait`` is over,
    /// ``NoticeError/Code/storeTooNew`` for a file of a newer version, ``NoticeError/Code/storeFailed`` otherwise.
    public static func open(
        in folder: String,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore {
        let place = StoreFolder(path: folder)
        try place.create()
        let lock = try await StoreLock.take(place.lock, waiting: options.lockWait)
        let opened = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<OpenedFile, NoticeError>, Never>) in
            DispatchQueue(label: "org.belfry.store.opening").async {
                continuation.resume(
                    returning: Result(catching: { () throws(NoticeError) in try OpenedFile(place, options) })
                )
            }
        }
        let found = try opened.get()
        return SQLiteRequestStore(folder, found.file, found.database, lock)
    }
}

/// A store's file, checked, brought up to date, and read.
struct OpenedFile: Sendable {
    let database: DatabaseQueue
    let file: StoreFile

    /// Only ever called by the holder of the lock.
    init(_ place: StoreFolder, _ options: SQLiteStoreOptions) throws(NoticeError) {
        do {
            try StoreSalvage.finishEarlier(in: place)
            // Before SQLite makes a log of its own, or writes into the one that is there.
            let needsCheck = place.needsCheck
            let evidence = LogEvidence(of: place)
            try place.createFile(place.database)
            do {
                // SQLite would remove the log beside an empty file.
                guard StoreFileHeader.isIntact(place.database, mayBeEmpty: !evidence.hasLog) else {
                    throw FoundDamage("its header was changed or is gone")
                }
                (database, file) = try Self.read(place, options, checked: needsCheck, evidence: evidence)
            } catch {
                guard let damage = FoundDamage(opening: error) else { throw error }
                let found = try StoreSalvage.salvage(place, because: damage, evidence)
                (database, file) = try Self.read(place, options, checked: true, damage: found)
            }
            place.wasChecked()
        } catch { throw NoticeError(store: place.database, "be opened", error) }
    }

    private static func read(
        _ place: StoreFolder,
        _ options: SQLiteStoreOptions,
        checked: Bool,
        evidence: LogEvidence? = nil,
        damage: NoticeStore.Damage? = nil
    ) throws -> (DatabaseQueue, StoreFile) {
        let database = try open(place.database, keepsLog: true)
        do {
            let doubt = try database.inDatabase { connection in
                try StoreCheck(database: connection, isWhole: checked).run(place.database)
                return try evidence?.doubt(about: connection)
            }
            try StoreSchema.migrator.migrate(database)
            if let evidence, evidence.ending != .clean {
                // What SQLite doesn't read would stay behind later transactions, and pass for damage at another opening.
                try database.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            }
            return try database.inDatabase { connection in
                guard let header = try StoreHeader.read(connection) else {
                    throw FoundDamage("its header row is damaged")
                }
                let attachments = try AttachmentFolder(place.attachments, limit: options.attachmentLimit) { revision in
                    let sql = "SELECT 1 FROM request WHERE revision = ?"
                    return try Int.fetchOne(connection, sql: sql, arguments: [revision]) != nil
                }
                let mark = try CommitMark(place.mark)
                let file = StoreFile(place, options, attachments, header, mark)
                file.report.withLock {
                    $0.damage = damage ?? doubt
                    $0.warnings = place.warnings
                }
                if let damage { try file.appendHistory(of: damage, to: connection) }
                if let doubt {
                    try file.damageLog.add(doubt)
                    try file.appendHistory(of: doubt, to: connection)
                }
                let (state, found) = try file.readState(of: connection)
                if let found { throw found }
                file.state.put(state)
                mark.write(transactions: file.header.withLock(\.transactions))
                try connection.keepLogWhenClosed(false)
                return (database, file)
            }
        } catch {
            try? database.close()
            throw error
        }
    }

    /// - Parameter keepsLog: closing removes the log otherwise, and with it what SQLite doesn't read of a damaged one.
    static func open(_ path: String, keepsLog: Bool = false) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "org.belfry.store"
        configuration.prepareDatabase { database in
            if keepsLog { try database.keepLogWhenClosed(true) }
            // One owner: the index of the log stays in its memory, so that no shared memory is needed (network file
            // systems), and nobody takes a lock between two commits.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA page_size = \(StoreFileHeader.pageSize)")
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // NORMAL would not sync the log at each commit.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

extension Database {
    /// Whether the log stays where it is when the file is closed; its pages come into the file all the same.
    fileprivate func keepLogWhenClosed(_ keep: Bool) throws {
        var flag: Int32 = keep ? 1 : 0
        let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &flag)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
