/// The transaction at hand, how the last ones went, and what of them is not stored yet.
///
/// After a failed transaction nothing fires for a second, then for two, up to a minute: a full disk is not hammered.
/// Facts (what was shown, closed or answered) can't be undone; those whose transaction failed go with the next one.
struct TransactionLog: Sendable {
    /// What the call or event at hand changes.
    var current = ScheduleTransaction()
    /// Facts whose transaction failed.
    private(set) var unsaved: [StoreChange] = []
    /// Nothing fires until then, on the boot clock.
    private(set) var pausedUntil: Int64?
    private var pauseLength: Int64 = 0

    private static let shortestPause: Int64 = 1_000_000
    private static let longestPause: Int64 = 60_000_000

    /// Ends the transaction at hand, which takes along what is not stored yet.
    mutating func take() -> ScheduleTransaction {
        var done = current
        current = ScheduleTransaction()
        guard !unsaved.isEmpty, !done.records.isEmpty || pausedUntil == nil else { return done }
        done.carriedCount = unsaved.count
        done.records = unsaved + done.records
        unsaved = []
        return done
    }

    mutating func succeed() {
        pauseLength = 0
        pausedUntil = nil
    }

    /// Keeps the facts of a failed transaction for the next one.
    mutating func fail(_ transaction: ScheduleTransaction, at boot: Int64) {
        if pausedUntil.map({ $0 <= boot }) ?? true {
            pauseLength = min(max(Self.shortestPause, pauseLength * 2), Self.longestPause)
            pausedUntil = boot + pauseLength
        }
        let facts = transaction.isFact ? transaction.records[...] : transaction.records.prefix(transaction.carriedCount)
        unsaved = facts + unsaved
    }

    mutating func endPause() { pausedUntil = nil }
}
