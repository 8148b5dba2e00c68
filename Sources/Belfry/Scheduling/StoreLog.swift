/// How the last transactions went, and what of them is not stored yet.
///
/// After a failed transaction nothing fires for a second, then for two, up to a minute: a full disk is not hammered. Facts
/// (what was shown, closed or answered) can't be undone; those whose transaction failed go with the next one.
struct StoreLog: Sendable {
    /// Facts whose transaction failed.
    private(set) var unsaved: [StoreChange] = []
    /// Nothing fires until then, on the boot clock.
    private(set) var pausedUntil: Int64?
    private var pauseLength: Int64 = 0

    private static let shortestPause: Int64 = 1_000_000
    private static let longestPause: Int64 = 60_000_000

    /// Gives what is not stored yet to a transaction that is about to be.
    mutating func carry(into transaction: inout ScheduleTransaction) {
        guard !unsaved.isEmpty, !transaction.records.isEmpty || pausedUntil == nil else { return }
        transaction.carriedCount = unsaved.count
        transaction.records = unsaved + transaction.records
        unsaved = []
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
