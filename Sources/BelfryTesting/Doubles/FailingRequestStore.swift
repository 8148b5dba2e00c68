public import Belfry
import Synchronization

/// A store that fails and stalls on command and otherwise forwards to another store.
///
/// ```swift
/// let store = FailingRequestStore()
/// let center = NoticeCenter(app: app, backend: backend, store: .failing(store))
/// store.failNextTransactions()
/// await #expect(throws: NoticeError.self) { try await center.add(request) }
/// ```
///
/// A failed transaction stores nothing. It is no actor, so that a synchronous test can control it.
public final class FailingRequestStore: RequestStore {
    private struct State {
        var nextErrors: [NoticeError] = []
        var error: NoticeError?
        var loadError: NoticeError?
        var readError: NoticeError?
        var transactions: [[StoreChange]] = []
        var failedTransactions = 0
    }

    /// The state. Its lock is never held while the underlying store is called.
    private let state = Mutex(State())
    private let store: any RequestStore
    private let gate = StallGate()

    /// The error of a full disk.
    public static let diskIsFull = NoticeError(
        .storeFailed,
        "The store could not write; make room on the disk.",
        cause: "No space left on device"
    )

    /// Creates a store that forwards everything to another one until ``failTransactions(with:)`` or a similar call.
    public init(_ store: NoticeStore = .memory) { self.store = store.requests }

    package init(_ store: any RequestStore) { self.store = store }

    package var outlivesProcess: Bool { store.outlivesProcess }

    /// The stored transactions, in order.
    package var transactions: [[StoreChange]] { state.withLock { $0.transactions } }
    /// The number of transactions that failed on command.
    public var failedTransactions: Int { state.withLock { $0.failedTransactions } }

    /// Makes the next `count` transactions fail; they store nothing.
    public func failNextTransactions(_ count: Int = 1, with error: NoticeError = diskIsFull) {
        state.withLock { $0.nextErrors += Array(repeating: error, count: max(0, count)) }
    }

    /// Makes every transaction fail until ``succeed()``.
    public func failTransactions(with error: NoticeError = diskIsFull) { state.withLock { $0.error = error } }

    /// Makes loading fail until ``succeed()``.
    public func failLoading(with error: NoticeError = diskIsFull) { state.withLock { $0.loadError = error } }

    /// Makes reading contents and the history fail until ``succeed()``.
    public func failReading(with error: NoticeError = diskIsFull) { state.withLock { $0.readError = error } }

    /// Cancels all commanded errors.
    public func succeed() {
        state.withLock { state in
            state.nextErrors = []
            (state.error, state.loadError, state.readError) = (nil, nil, nil)
        }
    }

    /// Makes transactions wait until ``release()``; a transaction whose task is canceled fails.
    public func stallTransactions() { gate.close() }

    /// Resumes the stalled transactions in the order in which they began.
    public func release() { gate.open() }

    /// Returns when `count` transactions are stalled, or when the task is canceled.
    public func waitUntilStalled(count: Int = 1) async { await gate.waitUntilHeld(count) }

    package func load() async throws(NoticeError) -> StoredState {
        if let error = state.withLock({ $0.loadError }) { throw error }
        return try await store.load()
    }

    package func commit(_ changes: [StoreChange]) async throws(NoticeError) {
        guard await gate.pass() else {
            throw NoticeError(.storeFailed, "The stalled transaction was canceled; nothing was stored.")
        }
        let error = state.withLock { state -> NoticeError? in
            let error = state.nextErrors.isEmpty ? state.error : state.nextErrors.removeFirst()
            if error != nil { state.failedTransactions += 1 }
            return error
        }
        if let error { throw error }
        try await store.commit(changes)
        state.withLock { $0.transactions.append(changes) }
    }

    package func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        if let error = state.withLock({ $0.readError }) { throw error }
        return try await store.request(revision: revision)
    }

    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        if let error = state.withLock({ $0.readError }) { throw error }
        return try await store.requests(revisions: revisions)
    }

    package func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        if let error = state.withLock({ $0.readError }) { throw error }
        return try await store.history(query)
    }

    package func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] {
        if let error = state.withLock({ $0.readError }) { throw error }
        return try await store.unreadableRequests()
    }
}

extension NoticeStore {
    /// A store that a test can make fail.
    public static func failing(_ store: FailingRequestStore) -> NoticeStore { NoticeStore(store) }
}
