public import Belfry
public import FoundationEssentials
import Synchronization

extension SQLiteRequestStore {
    /// Returns the directory of an app's own store: `$XDG_STATE_HOME/belfry/apps/<app id>`, or
    /// `~/.local/state/belfry/apps/<app id>` without that variable.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/invalidIdentifier`` (permanent) if the identifier can't name a directory.
    public static func folder(
        for app: AppIdentity,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NoticeError) -> String { try StoreFolder.path(of: app.id, environment) }

    /// Whether there is a store in a directory, or what is left of a damaged one. True also for a path that can't be
    /// examined: opening it reports the error. Readers call it first, because ``open(in:options:)`` creates a store.
    public static func exists(in folder: String) -> Bool { StoreFolder(path: folder).mayHaveStore }

    /// Opens an app's own store, and creates it if there is none.
    ///
    /// - Throws: The errors of ``open(in:options:)``, and ``Belfry/NoticeError/Code/invalidIdentifier`` (permanent) if
    ///   the app's identifier can't name a directory.
    public static func open(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore { try await open(in: folder(for: app), options: options) }

    /// Opens the store in a directory of its own, and creates both if there are none (directory 0700, file 0600). A
    /// directory with files of others under the names of a store's is refused. O(n) in the pending requests, which are
    /// read. The whole file is checked if it is under 16 MB, was not closed properly, or has shown damage. A damaged
    /// file is set aside and replaced by the data that can be read (``openingReport``). The damage report is also kept
    /// in the store's directory until it is acknowledged.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/storeInUse``, which names the owner, after ``SQLiteStoreOptions/lockWait``
    ///   (permanent until that one ends); ``Belfry/NoticeError/Code/storeTooNew`` (permanent) for a file of a newer
    ///   version; ``Belfry/NoticeError/Code/storeFailed`` (transient) otherwise.
    public static func open(
        in folder: String,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore {
        let store = SQLiteRequestStore(StoreFolder(path: folder), options)
        try await store.open()
        return store
    }
}

extension SQLiteRequestStore {
    /// Creates the directory if there is none, waits for the lock, and opens the file. Both waits together take
    /// ``SQLiteStoreOptions/lockWait`` at most.
    ///
    /// Throws ``NoticeError/Code/storeInUse``, ``NoticeError/Code/storeTooNew`` and ``NoticeError/Code/storeFailed``.
    func open() async throws(NoticeError) {
        try files.create()
        try files.refuseOtherFiles()
        // Bounded, since an app may want to wait forever.
        let deadline = ContinuousClock.now + .microseconds(options.lockWait.microseconds)
        try open(try await StoreLock.take(files.lock, until: deadline), until: deadline)
    }

    /// Checks the file, salvages a damaged one, migrates it, and reads it.
    private func open(_ lock: StoreLock, until deadline: ContinuousClock.Instant) throws(NoticeError) {
        do {
            try StoreSalvage.finishEarlier(in: files)
            // Must precede SQLite, which creates a log of its own or writes into the existing one.
            let needsCheck = files.needsCheck
            let evidence = LogEvidence(of: files)
            try files.createFile(path)
            do {
                // SQLite would remove the log beside an empty file.
                guard StoreFileHeader.isIntact(path, mayBeEmpty: !evidence.hasLog) else {
                    throw FoundDamage("its header was changed or is gone")
                }
                try read(lock, until: deadline, checked: needsCheck, evidence: evidence)
            } catch {
                guard let damage = FoundDamage(opening: error) else { throw error }
                let salvaged = try StoreSalvage.salvage(files, because: damage, evidence)
                try read(lock, until: deadline, checked: true, damage: salvaged)
            }
            files.wasChecked()
        } catch { throw NoticeError(store: path, "be opened", error) }
    }

    private func read(
        _ lock: StoreLock,
        until deadline: ContinuousClock.Instant,
        checked: Bool,
        evidence: LogEvidence? = nil,
        damage: NoticeStore.Damage? = nil
    ) throws {
        let database = try SQLiteDatabase(store: path, keepsLog: true, waiting: deadline - .now)
        try StoreCheck(database: database, isWhole: checked).run(path)
        let doubt = try evidence?.doubt(about: database)
        try StoreSchema.migrate(database)
        if let evidence, evidence.ending != .clean {
            // Unread frames would stay after later transactions, and look like damage at another opening.
            try database.emptyLog()
        }
        guard let header = try StoreHeader.read(database) else { throw FoundDamage("its header row is damaged") }
        let attachments = try AttachmentFolder(files.attachments, limit: options.attachmentLimit) { revision in
            let sql = "SELECT 1 FROM request WHERE revision = ?"
            return try database.first(sql, [.integer(revision)]) { _ in true } ?? false
        }
        let mark = try CommitMark(files.mark)
        report.withLock {
            $0.damage = damage ?? doubt
            $0.warnings = files.warnings
        }
        if let doubt { try damageLog.add(doubt) }
        if let found = damage ?? doubt { try appendHistory(of: found, to: database) }
        let (state, found) = try readState(of: database)
        if let found { throw found }
        mark.write(transactions: header.transactions)
        try database.keepLogWhenClosed(false)
        self.state = state
        opened = Opened(database, attachments, mark, header, lock)
    }
}

extension SQLiteDatabase {
    /// Opens a store's file with the settings of all stores.
    /// - Parameters:
    ///   - keepsLog: Whether closing keeps the log, with the frames that SQLite doesn't read in a damaged one.
    ///   - limit: The time to wait for a program that reads the file. Once it is open, nobody else can.
    convenience init(store path: String, keepsLog: Bool = false, waiting limit: Duration = .zero) throws {
        try self.init(path)
        setBusyTimeout(limit)
        if keepsLog { try keepLogWhenClosed(true) }
        // With one owner, the index of the log stays in the process. It needs no shared memory (network file systems),
        // and no lock is taken between two transactions.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA page_size = \(StoreFileHeader.pageSize)")
        try execute("PRAGMA journal_mode = WAL")
        // NORMAL would not sync the log with each transaction.
        try execute("PRAGMA synchronous = FULL")
    }

    /// Moves the whole log into the file.
    func emptyLog() throws { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }
}
