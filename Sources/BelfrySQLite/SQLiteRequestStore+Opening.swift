import Belfry
import Foundation
import GRDB
import Synchronization

extension SQLiteRequestStore {
    /// Where an app's own store is: `$XDG_STATE_HOME/belfry/apps/<app id>`, `~/.local/state/belfry/apps/<app id>` without
    /// that variable. Throws ``NoticeError/Code/invalidIdentifier`` where the identifier can't name a folder.
    public static func folder(
        for app: AppIdentity,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NoticeError) -> String { try StoreFolder.path(of: app.id, environment) }

    /// Opens an app's own store, and makes it where there is none. Throws as ``open(in:options:)`` does.
    public static func open(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore { try await open(in: folder(for: app), options: options) }

    /// Opens the store in a folder of its own, and makes both where there are none (folder 0700, file 0600). O(n): what is
    /// pending is read. A file under 16 MB, one that was not closed in good order, and one in which damage was come upon is
    /// checked whole; where it is damaged, it is set aside and replaced by what can be read of it (``openingReport``).
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
            // Before SQLite makes a log of its own.
            let needsCheck = place.needsCheck
            try place.createFile(place.database)
            do { (database, file) = try Self.read(place, options, checked: needsCheck) } catch let damage
                as DatabaseError
                where damage.isDamage
            {
                let found = try StoreSalvage.salvage(place, because: damage)
                (database, file) = try Self.read(place, options, checked: true, damage: found)
            }
            place.wasChecked()
        } catch { throw NoticeError(store: place.database, "be opened", error) }
    }

    private static func read(
        _ place: StoreFolder,
        _ options: SQLiteStoreOptions,
        checked: Bool,
        damage: StoreOpeningReport.Damage? = nil
    ) throws -> (DatabaseQueue, StoreFile) {
        let database = try open(place.database, checked: checked)
        do {
            return try database.inDatabase { connection in
                let attachments = try AttachmentFolder(place.attachments) { revision in
                    let sql = "SELECT 1 FROM request WHERE revision = ?"
                    return try Bool.fetchOne(connection, sql: sql, arguments: [revision]) ?? false
                }
                let file = StoreFile(place, options, attachments)
                file.report.withLock {
                    $0.damage = damage
                    $0.warnings = place.warnings
                }
                file.state.put(try file.readState(of: connection))
                return (database, file)
            }
        } catch {
            try? database.close()
            throw error
        }
    }

    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "org.belfry.store"
        configuration.prepareDatabase { database in
            // One owner: the index of the log stays in its memory, so that no shared memory is needed (network file
            // systems), and nobody takes a lock between two commits.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // NORMAL would not sync the log at each commit.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func open(_ path: String, checked: Bool) throws -> DatabaseQueue {
        let database = try open(path)
        do {
            try database.inDatabase { database in
                let findings = checked ? try String.fetchAll(database, sql: "PRAGMA quick_check(3)") : ["ok"]
                guard findings == ["ok"] else {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: findings.joined(separator: "; "))
                }
                if try StoreSchema.migrator.hasBeenSuperseded(database) {
                    throw NoticeError(
                        .storeTooNew,
                        "The store '\(path)' was written by a newer version of Belfry: use that version, or another "
                            + "application identifier. Nothing was changed."
                    )
                }
            }
            try StoreSchema.migrator.migrate(database)
            return database
        } catch {
            try? database.close()
            throw error
        }
    }
}
