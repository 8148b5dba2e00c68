public import FoundationEssentials

/// One line of the record of what became of a request.
public struct HistoryEntry: Sendable, Codable, Hashable {
    /// What can become of a request.
    public enum Outcome: String, Sendable, Codable, Hashable, CaseIterable {
        /// Shown; ``HistoryEntry/late`` says how late.
        case delivered
        /// A due time passed and its misfire policy let it go, or a later one of the same request took its place.
        case missed
        /// Not shown by the decision of the app's delegate, the user's settings or the desktop.
        case suppressed
        /// Left the screen; the detail is the reason.
        case closed
        /// Could not be shown, for good.
        case failed
        /// Could not be shown yet and is tried again, or waits for the end of quiet hours: ``HistoryEntry/state`` says
        /// which.
        case retrying
        /// The user answered, or put the notice off, which ``HistoryEntry/state`` says.
        case answered
        /// Removed by the app.
        case removed
        /// Another request took its identifier.
        case replaced
        /// Made room under a pending limit.
        case dropped
        /// Its trigger is of a kind, or in a form, that this program can't read: it is kept, and does not fire here.
        case dormant
        /// The store was found damaged and has lost it; without a request's identifier: what was found of the whole
        /// store.
        case damaged
        /// The wall clock was set back so far that marks of earlier firings were forgotten.
        case clockReset
    }

    /// The request that it is about; empty where it is about the whole store.
    public var requestID: String
    /// When it happened.
    public var date: Date
    /// What happened.
    public var outcome: Outcome
    /// How much later than due, for what was delivered or missed.
    public var late: Duration?
    /// For people: a reason, an error, by whom.
    public var detail: String?
    /// What kind of error ``detail`` describes, where one was the reason; nil in entries of versions that didn't keep it.
    public var errorCode: NoticeError.Code?
    /// Which backend delivered.
    public var backend: String?
    /// ``NoticeContent/thread`` of the request; the base of a series where the content has none.
    public var thread: String?
    /// The state that the notice was in from then on; nil where the outcome says it.
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
