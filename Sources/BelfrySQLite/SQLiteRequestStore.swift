import Belfry
import Foundation
import GRDB
import Synchronization

/// A ``RequestStore`` in one SQLite file: what has been committed outlives the process, the crash and the power cut.
///
/// ```swift
/// let app = AppIdentity(id: "org.example.Tea")
/// let store = try await SQLiteRequestStore.open(for: app)
/// let center = NoticeCenter(app: app, backend: LibnotifyBackend(appName: "Tea"), store: store)
/// ```
///
/// A batch is one transaction, and durable (WAL, `synchronous=FULL`: one fsync) when ``commit(_:)`` returns. A store has
/// one owner: a second ``open(in:options:)`` waits or is refused. No call blocks a thread of Swift's pool; all work is done
/// on one serial queue. Neither is it ended half-way by cancelling the caller's task: others may share the commit.
///
/// Errors are ``NoticeError/Code/storeFailed`` and name the file, the cause and what to do.
public final class SQLiteRequestStore: RequestStore {
    /// The folder that the store has to itself.
    public let folder: String
    let file: String
    let options: SQLiteStoreOptions
    let database: DatabaseQueue
    let attachments: AttachmentFolder
    let report: Mutex<StoreOpeningReport>
    /// How many lines were appended to the ledger since it was last trimmed.
    let untrimmed = Mutex(0)
    /// Called before each change of a batch; a test's way to make a commit fail half-way through.
    let fault = Mutex<(@Sendable (StoreChange) throws -> Void)?>(nil)
    /// Last: it is given up when the file is closed.
    private let lock: Mutex<StoreLock?>

    init(
        _ folder: StoreFolder,
        _ options: SQLiteStoreOptions,
        _ database: DatabaseQueue,
        _ attachments: AttachmentFolder,
        _ report: StoreOpeningReport,
        _ lock: consuming StoreLock
    ) {
        self.folder = folder.path
        file = folder.database
        self.options = options
        self.database = database
        self.attachments = attachments
        self.report = Mutex(report)
        self.lock = Mutex(lock)
    }

    deinit {
        // What still runs holds the store: nothing is under way here.
        try? database.close()
        lock.withLock { $0 = nil }
    }

    /// What opening found. Dormant and unreadable requests are known after ``load()``.
    public var openingReport: StoreOpeningReport { report.withLock { $0 } }

    /// Ends what is under way and lets the next owner in. Every later call throws. A store that is let go of without it
    /// loses nothing.
    public func close() async throws(NoticeError) {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<NoticeError?, Never>) in
            DispatchQueue.global().async {
                do {
                    try self.database.close()
                    self.lock.withLock { $0 = nil }
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: NoticeError(store: self.file, "be closed", error))
                }
            }
        }
        if let failure { throw failure }
    }

    // MARK: RequestStore

    public func commit(_ batch: [StoreChange]) async throws(NoticeError) {
        guard !batch.isEmpty else { return }
        try await perform("store \(batch.count) changes") { try self.apply(batch, to: $0) }
    }

    public func load() async throws(NoticeError) -> StoredState {
        try await perform("be read") { try self.readState(of: $0) }
    }

    public func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        try await perform("read the request of revision \(revision)") { try self.readRequest(revision, of: $0) }
    }

    public func ledger(_ query: LedgerQuery) async throws(NoticeError) -> [LedgerEntry] {
        try await perform("read the ledger") { try self.readLedger(query, of: $0) }
    }

    /// Runs `body` on the file's queue. Not GRDB's async calls: those end with the caller's task.
    func perform<Value: Sendable>(
        _ deed: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(NoticeError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, NoticeError>, Never>) in
            database.asyncWriteWithoutTransaction { database in
                do { continuation.resume(returning: .success(try body(database))) } catch {
                    continuation.resume(returning: .failure(NoticeError(store: self.file, deed, error)))
                }
            }
        }
        return try result.get()
    }
}
