public import Belfry
import FoundationEssentials
import Synchronization

/// A center's store in one SQLite file. Stored data survives the end of the process, a crash and a power cut.
///
/// ``Belfry/NoticeStore/sqlite(for:options:)`` opens one in a line. Use this type to read the opening report, or to
/// close the store:
///
/// ```swift
/// let app = AppIdentity(id: "org.example.Tea")
/// let store = try await SQLiteRequestStore.open(for: app)
/// print(store.openingReport.messages)
/// let center = NoticeCenter(app: app, backend: .auto(for: app), store: .sqlite(store))
/// ```
///
/// A transaction is durable (WAL, `synchronous=FULL`: one fsync) when the center's call returns. A store has one owner:
/// a second ``open(in:options:)`` waits or is refused. No call blocks a thread of Swift's pool; all work is done on one
/// serial queue. Canceling the caller's task doesn't interrupt a transaction, because other calls may share it.
///
/// Errors are ``Belfry/NoticeError/Code/storeFailed`` (transient); they name the file, the cause and what to do.
public actor SQLiteRequestStore: RequestStore {
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

    /// The store's own directory.
    public nonisolated var folder: String { files.path }
    /// The report of opening the store.
    public nonisolated var openingReport: StoreOpeningReport { report.withLock { $0 } }

    /// The path of the database.
    nonisolated var path: String { files.database }
    nonisolated let report = Mutex(StoreOpeningReport())
    /// Called before each change of a transaction, so that a test can make one fail halfway.
    nonisolated let fault = Mutex<(@Sendable (StoreChange) throws -> Void)?>(nil)
    let files: StoreFolder
    let options: SQLiteStoreOptions
    let encoder = JSONEncoder()
    let damageLog: StoreDamageLog
    /// The open file; nil after the store has been closed.
    var opened: Opened?
    /// The state that opening has read, until it is taken or has changed. It may be as large as all pending requests.
    var state: StoredState?
    /// The number of entries appended to the history since it was last trimmed. Each opening begins as if they were too
    /// many: a store that is opened for a few entries at a time is trimmed too.
    var untrimmedCount: Int

    /// The reasons of the damage reported since opening.
    private var reported: Set<String> = []
    private let queue = StoreQueue()
    /// The store's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ files: StoreFolder, _ options: SQLiteStoreOptions) {
        self.files = files
        self.options = options
        untrimmedCount = options.history.trimInterval
        damageLog = StoreDamageLog(folder: files.path)
        encoder.outputFormatting = .sortedKeys
    }

    /// Runs `body`. Canceling the caller's task doesn't interrupt it, because other calls may share the transaction.
    /// - Parameter deed: The operation, for the error if `body` throws.
    func perform<Value: Sendable>(
        _ deed: String,
        _ body: @Sendable (isolated SQLiteRequestStore, SQLiteDatabase) throws -> Value
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

    /// Releases the file and the lock for the next owner. Every later call throws
    /// ``Belfry/NoticeError/Code/storeFailed``, which is permanent for this store. A store that is released without
    /// this call loses nothing.
    ///
    /// - Throws: Nothing: errors of the file were thrown by the transactions.
    public func close() async throws(NoticeError) {
        opened?.database.close()
        opened?.mark.synchronize()
        opened = nil
    }

    /// Reports damage that was found while the store is open: once, and the next opening checks every page.
    func report(_ damage: NoticeStore.Damage) {
        files.askForCheck()
        guard reported.insert(damage.reason).inserted else { return }
        // If the report can't be stored, the next opening, which checks everything, makes it again.
        try? damageLog.add(damage)
    }

    // MARK: RequestStore

    package func commit(_ changes: [StoreChange]) throws(NoticeError) {
        guard !changes.isEmpty else { return }
        try perform("store \(changes.count) changes") { store, _ in try store.apply(changes) }
    }

    /// Returns the state that opening has read and kept, if no transaction came before this first call.
    package func load() throws(NoticeError) -> StoredState {
        try perform("be read") { store, database in
            if let state = store.state.take() { return state }
            let (state, damage) = try store.readState(of: database)
            if let damage { store.report(NoticeStore.Damage(reason: damage.reason)) }
            return state
        }
    }

    package func request(revision: Int64) throws(NoticeError) -> NoticeRequest? {
        try perform("read the request of revision \(revision)") { try $0.readRequest(revision, of: $1) }
    }

    package func requests(revisions: [Int64]) throws(NoticeError) -> [Int64: NoticeRequest] {
        try perform("read \(revisions.count) requests") { try $0.readRequests(revisions, of: $1) }
    }

    package func history(_ query: HistoryQuery) throws(NoticeError) -> [HistoryEntry] {
        try perform("read the history") { try $0.readHistory(query, of: $1) }
    }

    package func unreadableRequests() throws(NoticeError) -> [NoticeStore.UnreadableRequest] {
        try perform("read the damage reports") { store, _ in store.damageLog.reports().flatMap(\.requests) }
    }
}
