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
/// serial queue. Cancelling the caller's task doesn't interrupt a transaction, because other calls may share it.
///
/// Errors are ``Belfry/NoticeError/Code/storeFailed``; they name the file, the cause and what to do.
public final class SQLiteRequestStore: RequestStore {
    /// The store's own directory.
    public let folder: String
    let file: StoreFile

    init(_ folder: String, _ file: StoreFile) {
        self.folder = folder
        self.file = file
    }

    /// The report of opening the store.
    public var openingReport: StoreOpeningReport { file.report.withLock { $0 } }

    /// Finishes work in progress and releases the lock for the next owner. Every later call throws. A store that is
    /// released without this call loses nothing.
    public func close() async throws(NoticeError) { await file.close() }

    // MARK: RequestStore

    package func commit(_ changes: [StoreChange]) async throws(NoticeError) {
        guard !changes.isEmpty else { return }
        try await file.perform("store \(changes.count) changes") { try $0.apply(changes, to: $1) }
    }

    /// Returns the state that opening has read and kept, if no transaction came before this first call.
    package func load() async throws(NoticeError) -> StoredState {
        try await file.perform("be read") { file, database in
            if let state = file.state.take() { return state }
            let (state, damage) = try file.readState(of: database)
            if let damage { file.report(NoticeStore.Damage(reason: damage.reason)) }
            return state
        }
    }

    package func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        try await file.perform("read the request of revision \(revision)") { try $0.readRequest(revision, of: $1) }
    }

    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        try await file.perform("read \(revisions.count) requests") { try $0.readRequests(revisions, of: $1) }
    }

    package func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        try await file.perform("read the history") { try $0.readHistory(query, of: $1) }
    }

    package func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] {
        try await file.perform("read the damage reports") { file, _ in file.damageLog.reports().flatMap(\.requests) }
    }
}
