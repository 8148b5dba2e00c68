import Belfry
import Foundation
import GRDB
import Synchronization

/// A center's store in one SQLite file: what has been committed outlives the process, the crash and the power cut.
///
/// ``Belfry/NoticeStore/sqlite(for:options:)`` opens one in a line. This type is for who wants to know what opening found, or
/// to close the store:
///
/// ```swift
/// let app = AppIdentity(id: "org.example.Tea")
/// let store = try await SQLiteRequestStore.open(for: app)
/// print(store.openingReport.messages)
/// let center = NoticeCenter(app: app, backend: LibnotifyBackend(appName: "Tea"), store: .sqlite(store))
/// ```
///
/// A transaction is durable (WAL, `synchronous=FULL`: one fsync) when the center's call returns. A store has
/// one owner: a second ``open(in:options:)`` waits or is refused. No call blocks a thread of Swift's pool; all work is done
/// on one serial queue. Neither is it ended half-way by cancelling the caller's task: others may share the commit.
///
/// Errors are ``NoticeError/Code/storeFailed`` and name the file, the cause and what to do.
public final class SQLiteRequestStore: RequestStore {
    /// The folder that the store has to itself.
    public let folder: String
    let file: StoreFile
    private let database: DatabaseQueue
    private let lock: Mutex<StoreLock?>

    init(_ folder: String, _ file: StoreFile, _ database: DatabaseQueue, _ lock: StoreLock) {
        self.folder = folder
        self.file = file
        self.database = database
        self.lock = Mutex(lock)
    }

    deinit {
        // Callers hold the store until their call returns: nothing is under way here. The file first, then the lock.
        try? database.close()
        lock.withLock { $0 = nil }
    }

    /// What opening found.
    public var openingReport: StoreOpeningReport { file.report.withLock { $0 } }

    /// Ends what is under way and lets the next owner in. Every later call throws. A store that is let go of without it
    /// loses nothing.
    public func close() async throws(NoticeError) {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<NoticeError?, Never>) in
            DispatchQueue(label: "org.belfry.store.closing").async {
                do {
                    try self.database.close()
                    self.file.mark.withLock { mark in
                        mark?.synchronize()
                        mark = nil
                    }
                    self.lock.withLock { $0 = nil }
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: NoticeError(store: self.file.path, "be closed", error))
                }
            }
        }
        if let failure { throw failure }
    }

    // MARK: RequestStore

    package func commit(_ batch: [StoreChange]) async throws(NoticeError) {
        guard !batch.isEmpty else { return }
        _ = file.state.take()
        try await perform("store \(batch.count) changes") { try $0.apply(batch, to: $1) }
    }

    /// Opening has read it already, and keeps it for the first call that no commit has gone before.
    package func load() async throws(NoticeError) -> StoredState {
        if let state = file.state.take() { return state }
        return try await perform("be read") { file, database in
            let (state, damage) = try file.readState(of: database)
            if let damage { file.report(NoticeStore.Damage(reason: damage.reason)) }
            return state
        }
    }

    package func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        try await perform("read the request of revision \(revision)") { try $0.readRequest(revision, of: $1) }
    }

    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        try await perform("read \(revisions.count) requests") { try $0.readRequests(revisions, of: $1) }
    }

    package func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        try await perform("read the ledger") { try $0.readLedger(query, of: $1) }
    }

    package func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] {
        try await perform("read the damage reports") { file, _ in file.damageLog.reports().flatMap(\.requests) }
    }

    /// Runs `body` on the file's queue. Not GRDB's async calls: those end with the caller's task.
    func perform<Value: Sendable>(
        _ deed: String,
        _ body: @escaping @Sendable (StoreFile, Database) throws -> Value
    ) async throws(NoticeError) -> Value {
        let result = await withCheckedContinuation {
            [file] (continuation: CheckedContinuation<Result<Value, NoticeError>, Never>) in
            database.asyncWriteWithoutTransaction { database in
                do { continuation.resume(returning: .success(try body(file, database))) } catch {
                    if let error = error as? DatabaseError, error.isDamage {
                        file.report(NoticeStore.Damage(reason: error.message ?? "\(error.extendedResultCode)"))
                    }
                    continuation.resume(returning: .failure(NoticeError(store: file.path, deed, error)))
                }
            }
        }
        return try result.get()
    }
}
