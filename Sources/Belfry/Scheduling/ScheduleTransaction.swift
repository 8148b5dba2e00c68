/// The result of a call, and the transaction that has to be stored before the call returns.
struct Change<Result: Sendable>: Sendable {
    let result: Result
    let transaction: ScheduleTransaction
}

/// The changes of one call or event: stored and undone together, with the effects that follow once they are stored.
struct ScheduleTransaction: Sendable {
    /// A step that restores an old value.
    ///
    /// Not a bare closure: an array of those stores each in another box.
    struct Undo: Sendable {
        let restore: @Sendable (inout Schedule) -> Void
    }

    /// Whether an event reports something that has happened outside, which can't be undone, only stored later.
    let isFact: Bool
    /// The records to store. Without any, the effects follow at once.
    var records: [StoreChange] = []
    /// The effects that follow when the records are stored; those of facts follow even if that fails.
    var effects: [ScheduleEffect] = []
    /// The undo steps, oldest first; none for a fact.
    private(set) var undo: [Undo] = []
    /// Contents that old values referred to and the new ones do not.
    var released: [(id: String, revision: Int64)] = []
    /// The number of leading records that are facts of earlier, failed transactions.
    var carriedCount = 0
    /// The requests (and series, by base) that the pending limit dropped completely.
    var dropped: Set<String> = []
    /// The evaluated fixes, which are evaluated again if the records can't be stored.
    var fixes: [LocationFix] = []

    init(isFact: Bool = false) { self.isFact = isFact }

    /// Makes room for what is about to be changed.
    mutating func reserveCapacity(records moreRecords: Int, undo moreUndo: Int = 0, effects moreEffects: Int) {
        records.reserveCapacity(records.count + moreRecords)
        undo.reserveCapacity(undo.count + moreUndo)
        effects.reserveCapacity(effects.count + moreEffects)
    }

    mutating func remember(_ restore: @autoclosure () -> @Sendable (inout Schedule) -> Void) {
        if !isFact { undo.append(Undo(restore: restore())) }
    }

    /// Replaces the requests stored after the first `first` records for which `update` returns another.
    mutating func updateStored(since first: Int, _ update: (NoticeRequest) -> NoticeRequest?) {
        for index in records.indices.dropFirst(first) {
            guard case .putRequest(let request, let revision, let progress) = records[index],
                let updated = update(request)
            else { continue }
            records[index] = .putRequest(updated, revision: revision, progress)
        }
    }

    /// Moves the effects from `second` on before those from `first` on.
    mutating func swapEffects(from first: Int, with second: Int) {
        guard first < second, second < effects.count else { return }
        effects.replaceSubrange(first..., with: effects[second...] + effects[first..<second])
    }
}
