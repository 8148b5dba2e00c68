import Belfry
import FoundationEssentials
import Synchronization

/// A store's file and its operations, on a queue of its own (``StoreQueue``).
///
/// ``SQLiteRequestStore`` passes all work to it, so that nothing blocks a thread of Swift's pool.
actor StoreFile {
    /// The resources of an open file. Its deinitialization closes the file, then releases the lock for the next owner.
    final class Opened {
        let database: SQLiteDatabase
        let attachments: AttachmentFolder
        let mark: CommitMark
        /// The header after the last transaction.
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
    /// Called before each change of a transaction, so that a test can make one fail halfway.
    nonisolated let fault = Mutex<(@Sendable (StoreChange) throws -> Void)?>(nil)
    let folder: StoreFolder
    let options: SQLiteStoreOptions
    let encoder = JSONEncoder()
    let damageLog: StoreDamageLog
    /// The open file; nil after the store has been closed.
    var opened: Opened?
    /// The state that opening has read, until it is taken or has changed. It may be as large as all pending requests.
    var state: StoredState?
    /// The number of entries appended to the history since it was last trimmed.
    var untrimmedCount = 0

    /// The reasons of the damage reported since opening.
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

    /// Runs `body`. Cancelling the caller's task doesn't interrupt it, because other calls may share the transaction.
    /// - Parameter deed: The operation, for the error if `body` throws.
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

    /// Closes the file and releases the lock for the next owner.
    func close() {
        opened?.database.close()
        opened?.mark.synchronize()
        opened = nil
    }

    /// Reports damage that was found while the store is open: once, and the next opening checks every page.
    func report(_ damage: NoticeStore.Damage) {
        folder.askForCheck()
        guard reported.insert(damage.reason).inserted else { return }
        // If the report can't be stored, the next opening, which checks everything, makes it again.
        try? damageLog.add(damage)
    }
}
