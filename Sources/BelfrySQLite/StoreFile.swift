import Belfry
import FoundationEssentials
import Synchronization

/// A store's file, and what is done with it, on a queue of its own (``StoreQueue``).
///
/// Apart from ``SQLiteRequestStore``, which hands it over: nothing that blocks runs on a thread of Swift's pool.
actor StoreFile {
    /// What there is while the file is open. Its end closes the file, then lets the next owner in.
    final class Opened {
        let database: SQLiteDatabase
        let attachments: AttachmentFolder
        let mark: CommitMark
        /// As the last transaction has left it.
        var header: StoreHeader
        private let lock: StoreLock

        init(
            _ database: SQLiteDatabase,
            _ attachments: AttachmentFolder,
            _ mark: CommitMark,
            _ header: StoreHeader,
            _ lock: StoreLock
        ) {
            self.database = database
            self.attachments = attachments
            self.mark = mark
            self.header = header
            self.lock = lock
        }

        deinit { database.close() }
    }

    nonisolated let path: String
    nonisolated let report = Mutex(StoreOpeningReport())
    /// Called before each change of a transaction; a test's way to make one fail half-way through.
    nonisolated let fault = Mutex<(@Sendable (StoreChange) throws -> Void)?>(nil)
    let folder: StoreFolder
    let options: SQLiteStoreOptions
    let encoder = JSONEncoder()
    let damageLog: StoreDamageLog
    /// Nil once the store has been closed.
    var opened: Opened?
    /// What opening has read, until somebody takes it or it has changed. It may be as large as all that is pending.
    var state: StoredState?
    /// How many lines were appended to the history since it was last trimmed.
    var untrimmedCount = 0

    /// The reasons of what was reported since opening.
    private var reported: Set<String> = []
    private let queue = StoreQueue()
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ folder: StoreFolder, _ options: SQLiteStoreOptions) {
        self.folder = folder
        self.options = options
        path = folder.database
        damageLog = StoreDamageLog(folder: folder.path)
        encoder.outputFormatting = .sortedKeys
    }

    /// Runs `body`. It is not ended half-way by cancelling the caller's task: others may share the transaction.
    /// - Parameter deed: What the store could not do where `body` throws.
    func perform<Value: Sendable>(
        _ deed: String,
        _ body: @Sendable (isolated StoreFile, SQLiteDatabase) throws -> Value
    ) throws(NoticeError) -> Value {
        guard let opened else {
            throw NoticeError(
                .storeFailed,
                "The store '\(path)' could not \(deed); nothing was changed. It has been closed: open it anew."
            )
        }
        do { return try body(self, opened.database) } catch {
            if let error = error as? SQLiteError, error.isDamage {
                report(NoticeStore.Damage(reason: error.message))
            }
            throw NoticeError(store: path, deed, error)
        }
    }

    /// Lets the next owner in.
    func close() {
        opened?.database.close()
        opened?.mark.synchronize()
        opened = nil
    }

    /// Damage was found while the store is open: it is reported once, and the next opening reads every page.
    func report(_ damage: NoticeStore.Damage) {
        folder.askForCheck()
        guard reported.insert(damage.reason).inserted else { return }
        // A report that can't be kept is made again by the next opening, which looks at everything.
        try? damageLog.add(damage)
    }
}
