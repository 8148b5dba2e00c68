/// The current transaction, the outcome of the last ones, and facts that are not stored yet.
///
/// After a failed transaction nothing fires for one second, then two, up to a minute, which spares a full disk. A call
/// of the app pauses nothing: what it failed to store may be at fault, and it may be repeated at any time. Facts
/// (notices shown or closed, responses) can't be undone; after an error they are stored with the next transaction.
struct TransactionLog: Sendable {
    /// The changes of the current call or event.
    var current = ScheduleTransaction()
    /// Facts whose transaction failed.
    private(set) var unsaved: [StoreChange] = []
    var hasUnsavedFacts: Bool { !unsaved.isEmpty }
    /// The end of the pause in which nothing fires, on the boot clock.
    private(set) var pausedUntil: Int64?
    private var pauseLength: Int64 = 0

    private static let shortestPause: Int64 = 1_000_000
    private static let longestPause: Int64 = 60_000_000

    /// Ends the current transaction and returns it, together with facts that are not stored yet.
    mutating func take() -> ScheduleTransaction {
        if !unsaved.isEmpty, !current.records.isEmpty || pausedUntil == nil {
            current.carriedCount = unsaved.count
            current.records = unsaved + current.records
            unsaved = []
        }
        var done = ScheduleTransaction()
        swap(&done, &current)
        return done
    }

    mutating func succeed() {
        pauseLength = 0
        pausedUntil = nil
    }

    /// Keeps the facts of a failed transaction for the next one.
    ///
    /// - Parameter pausing: nothing fires for a while.
    mutating func fail(_ transaction: ScheduleTransaction, at boot: Int64, pausing: Bool = true) {
        if pausing, pausedUntil.map({ $0 <= boot }) ?? true {
            pauseLength = min(max(Self.shortestPause, pauseLength * 2), Self.longestPause)
            pausedUntil = boot + pauseLength
        }
        let facts = transaction.isFact ? transaction.records[...] : transaction.records.prefix(transaction.carriedCount)
        unsaved = facts + unsaved
    }

    mutating func endPause() { pausedUntil = nil }
}
