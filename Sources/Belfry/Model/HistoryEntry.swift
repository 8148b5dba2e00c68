public import FoundationEssentials

/// One entry of the history of requests.
///
/// ```swift
/// for entry in try await center.history(HistoryQuery(requestID: "backup", limit: 10)) {
///     print(entry.date.formatted(.iso8601), entry.outcome, entry.detail ?? "")
/// }
/// ```
public struct HistoryEntry: Sendable, Codable, Hashable {
    /// What happened to a request.
    public enum Outcome: String, Sendable, Codable, Hashable, CaseIterable {
        /// Shown; ``HistoryEntry/late`` has the delay.
        case delivered
        /// A due time passed and the misfire policy skipped it, or a later due time of the same request replaced it.
        case missed
        /// Not shown because the app's delegate, the user's settings or the desktop prevented it.
        case suppressed
        /// Left the screen; ``HistoryEntry/detail`` has the reason.
        case closed
        /// Could not be shown: the error was permanent, or the time in which the misfire policy allows retries ended.
        case failed
        /// Not shown yet: it is retried, or deferred until quiet hours end, according to ``HistoryEntry/state``.
        case retrying
        /// The user responded or, if ``HistoryEntry/state`` is snoozed, snoozed the notice.
        case responded = "answered"
        /// Removed by the app.
        case removed
        /// Replaced by another request with the same identifier.
        case replaced
        /// Dropped to make room under a pending limit.
        case dropped
        /// Its trigger has a kind or a form that this program can't read. The request is kept and does not fire here.
        case dormant
        /// The store is damaged and has lost the request. Without a request identifier, the entry describes the damage
        /// of the whole store.
        case damaged
        /// The wall clock was set back so far that the records of earlier firings were discarded.
        case clockReset
    }

    /// The identifier of the request; empty if the entry is about the whole store.
    public var requestID: String
    /// When it happened.
    public var date: Date
    /// What happened.
    public var outcome: Outcome
    /// The delay after the due time, for delivered and missed notices.
    public var late: Duration?
    /// A text for users: a reason, an error, or the responsible program.
    public var detail: String?
    /// The code of the error in ``detail``; nil without an error, and in entries of versions that did not store it.
    public var errorCode: NoticeError.Code?
    /// The backend that delivered the notice.
    public var backend: String?
    /// The ``NoticeContent/thread`` of the request; the base of its series if the content has none.
    public var thread: String?
    /// The state of the notice from then on; nil if the outcome implies it.
    public var state: NoticeStatus?

    /// Creates an entry from its parts.
    public init(
        requestID: String,
        date: Date,
        outcome: Outcome,
        late: Duration? = nil,
        detail: String? = nil,
        errorCode: NoticeError.Code? = nil,
        backend: String? = nil,
        thread: String? = nil,
        state: NoticeStatus? = nil
    ) {
        self.requestID = requestID
        self.date = date
        self.outcome = outcome
        self.late = late
        self.detail = detail
        self.errorCode = errorCode
        self.backend = backend
        self.thread = thread
        self.state = state
    }

    private enum CodingKeys: String, CodingKey {
        case requestID
        case date = "at"
        case outcome, late, detail, errorCode, backend, thread, state
    }
}
