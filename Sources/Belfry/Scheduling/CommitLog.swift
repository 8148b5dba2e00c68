/// The transactions that the store has not confirmed yet, and what follows from a failed one.
///
/// After a failed transaction nothing fires for a second, then for two, up to a minute: a full disk is not hammered. Facts
/// (what was shown, closed or answered) can't be undone; those whose transaction failed go with the next one.
struct CommitLog: Sendable {
    private var open: [CommitID: ScheduleBatch] = [:]
    private var nextID: CommitID = 1
    /// Facts whose transaction failed.
    private(set) var unsaved: [StoreChange] = []
    /// Nothing fires until then, on the boot clock.
    private(set) var pausedUntil: Int64?
    private var pauseLength: Int64 = 0

    private static let shortestPause: Int64 = 1_000_000
    private static let longestPause: Int64 = 60_000_000

    /// Begins a transaction; nil where there is nothing to store, and nothing to wait for.
    ///
    /// What follows from changes that are not stored yet waits for them, though it has none of its own: a second removal
    /// of the same request is done when the first one is.
    mutating func begin(_ batch: ScheduleBatch) -> (id: CommitID, changes: [StoreChange])? {
        let dependsOnOthers = !open.isEmpty && !(batch.tickets.isEmpty && batch.undo.isEmpty)
        guard !batch.changes.isEmpty || dependsOnOthers || (!unsaved.isEmpty && pausedUntil == nil) else { return nil }
        var batch = batch
        batch.carried = unsaved
        unsaved = []
        let id = nextID
        nextID += 1
        let changes = batch.carried.isEmpty ? batch.changes : batch.carried + batch.changes
        open[id] = batch
        return (id, changes)
    }

    /// The transaction is stored.
    mutating func finish(_ id: CommitID) -> ScheduleBatch? {
        pauseLength = 0
        pausedUntil = nil
        return open.removeValue(forKey: id)
    }

    /// The transaction failed; its facts are kept for the next one.
    mutating func fail(_ id: CommitID, at boot: Int64) -> ScheduleBatch? {
        guard let failed = open.removeValue(forKey: id) else { return nil }
        if pausedUntil.map({ $0 <= boot }) ?? true {
            pauseLength = min(max(Self.shortestPause, pauseLength * 2), Self.longestPause)
            pausedUntil = boot + pauseLength
        }
        unsaved = failed.carried + (failed.isFact ? failed.changes : []) + unsaved
        return failed
    }

    mutating func endPause() { pausedUntil = nil }
}
