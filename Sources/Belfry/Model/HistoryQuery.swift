public import FoundationEssentials

/// Selects and orders entries of the history. An entry must meet every condition that is not nil.
///
/// ```swift
/// let query = HistoryQuery(outcomes: [.missed, .failed], from: Date(timeIntervalSinceNow: -86_400))
/// for entry in try await center.history(query) { print(entry.requestID, entry.outcome, entry.late ?? .zero) }
/// ```
public struct HistoryQuery: Sendable, Hashable, Codable {
    /// The request; nil matches every request.
    public var requestID: String?
    /// The ``NoticeContent/thread`` of the request, which can be the base of a series; nil matches every thread.
    public var thread: String?
    /// The outcomes; nil matches every outcome.
    public var outcomes: Set<HistoryEntry.Outcome>?
    /// The earliest date, inclusive; nil is without limit.
    public var from: Date?
    /// The latest date, exclusive; nil is without limit.
    public var until: Date?
    /// The maximum number of entries, of which the newest are returned; 0 or more. Nil returns all.
    public var limit: Int?
    /// True: newest first. False: oldest first, in the order in which they were appended.
    public var newestFirst: Bool

    /// Creates a query; without conditions it matches everything.
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

    /// Returns whether an entry meets all conditions; ``limit`` is ignored.
    public func matches(_ entry: HistoryEntry) -> Bool {
        (requestID.map { $0 == entry.requestID } ?? true) && (thread.map { $0 == entry.thread } ?? true)
            && (outcomes?.contains(entry.outcome) ?? true) && (from.map { $0 <= entry.date } ?? true)
            && (until.map { entry.date < $0 } ?? true)
    }
}
