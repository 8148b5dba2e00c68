public import Belfry
import Synchronization

/// A store that fails and stalls on command and otherwise forwards to another store.
///
/// ```swift
/// let store = FailingRequestStore()
/// let center = NoticeCenter(app: app, backend: backend, store: .failing(store))
/// store.failNextCommits()
/// await #expect(throws: NoticeError.self) { try await center.add(request) }
/// ```
///
/// A failed transaction stores nothing. It is no actor, so that a synchronous test can control it.
public final class FailingRequestStore: RequestStore {
    private struct State {
        var nextFailures: [NoticeError] = []
        var failure: NoticeError?
        var loadFailure: NoticeError?
        var readFailure: NoticeError?
        var commits: [[StoreChange]] = []
        var failedCommits = 0
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

    /// Creates a store that forwards everything to another one until ``failCommits(with:)`` or a similar call.
    public init(_ store: NoticeStore = .memory) { self.store = store.requests }

    package init(_ store: any RequestStore) { self.store = store }

    package var outlivesProcess: Bool { store.outlivesProcess }

    /// The stored transactions, in order.
    package var commits: [[StoreChange]] { state.withLock { $0.commits } }
    /// The number of transactions that failed on command.
    public var failedCommits: Int { state.withLock { $0.failedCommits } }

    /// Makes the next `count` transactions fail; they store nothing.
    public func failNextCommits(_ count: Int = 1, with error: NoticeError = diskIsFull) {
        state.withLock { $0.nextFailures += Array(repeating: error, count: max(0, count)) }
    }

    /// Makes every transaction fail until ``succeed()``.
    public func failCommits(with error: NoticeError = diskIsFull) { state.withLock { $0.failure = error } }

    /// Makes loading fail until ``succeed()``.
    public func failLoading(with error: NoticeError = diskIsFull) { state.withLock { $0.loadFailure = error } }

    /// Makes reading contents and the history fail until ``succeed()``.
    public func failReading(with error: NoticeError = diskIsFull) { state.withLock { $0.readFailure = error } }

    /// Cancels all commanded failures.
    public func succeed() {
        state.withLock { state in
            state.nextFailures = []
            (state.failure, state.loadFailure, state.readFailure) = (nil, nil, nil)
        }
    }

    /// Makes transactions wait until ``release()``; a transaction whose task is cancelled fails.
    public func stallCommits() { gate.close() }

    /// Resumes the stalled transactions in the order in which they began.
    public func release() { gate.open() }

    /// Returns when `count` transactions are stalled, or when the task is canceled.
    public func waitUntilStalled(count: Int = 1) async { await gate.waitUntilHeld(count) }

    package func load() async throws(NoticeError) -> StoredState {
        if let error = state.withLock({ $0.loadFailure }) { throw error }
        return try await store.load()
    }

    package func commit(_ batch: [StoreChange]) async throws(NoticeError) {
        guard await gate.pass() else {
            throw NoticeError(.storeFailed, "The stalled commit was cancelled; nothing was stored.")
        }
        let failure = state.withLock { state -> NoticeError? in
            let failure = state.nextFailures.isEmpty ? state.failure : state.nextFailures.removeFirst()
            if failure != nil { state.failedCommits += 1 }
            return failure
        }
        if let failure { throw failure }
        try await store.commit(batch)
        state.withLock { $0.commits.append(batch) }
    }

    package func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        if let error = state.withLock({ $0.readFailure }) { throw error }
        return try await store.request(revision: revision)
    }

    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        if let error = state.withLock({ $0.readFailure }) { throw error }
        return try await store.requests(revisions: revisions)
    }

    package func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        if let error = state.withLock({ $0.readFailure }) { throw error }
        return try await store.history(query)
    }

    package func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] {
        if let error = state.withLock({ $0.readFailure }) { throw error }
        return try await store.unreadableRequests()
    }
}

extension NoticeStore {
    /// A store that a test can make fail.
    public static func failing(_ store: FailingRequestStore) -> NoticeStore { NoticeStore(store) }
}
