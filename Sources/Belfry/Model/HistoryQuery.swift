public import FoundationEssentials

/// Which lines of the history, and in which order. Every condition that is given must hold.
///
/// ```swift
/// let query = HistoryQuery(outcomes: [.missed, .failed], from: Date(timeIntervalSinceNow: -86_400))
/// for entry in try await center.history(query) { print(entry.requestID, entry.outcome, entry.late ?? .zero) }
/// ```
public struct HistoryQuery: Sendable, Hashable, Codable {
    /// Nil is every request.
    public var requestID: String?
    /// ``NoticeContent/thread`` of the request, the base of a series among them; nil is every thread.
    public var thread: String?
    /// Nil is every outcome.
    public var outcomes: Set<HistoryEntry.Outcome>?
    /// The first instant, included; nil is from the beginning.
    public var from: Date?
    /// The instant before which the lines lie; nil is to the end.
    public var until: Date?
    /// The newest so many of those that match, 0 or more; nil is all.
    public var limit: Int?
    /// False: as they were appended, oldest first.
    public var newestFirst: Bool

    /// Creates a query; without conditions it asks for everything.
    public init(
        requestID: String? = nil,
        limit: Int? = nil,
        thread: String? = nil,
        outcomes: Set<HistoryEntry.Outcome>? = nil,
        from: Date? = nil,
        until: Date? = nil,
        newestFirst: Bool = false
    ) {
        self.requestID = requestID
        self.limit = limit
        self.thread = thread
        self.outcomes = outcomes
        self.from = from
        self.until = until
        self.newestFirst = newestFirst
    }

    /// Whether a line is one of those that are asked for, the limit left out of account.
    public func matches(_ entry: HistoryEntry) -> Bool {
        (requestID.map { $0 == entry.requestID } ?? true) && (thread.map { $0 == entry.thread } ?? true)
            && (outcomes?.contains(entry.outcome) ?? true) && (from.map { $0 <= entry.date } ?? true)
            && (until.map { entry.date < $0 } ?? true)
    }
}
