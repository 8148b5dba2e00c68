/// What a call decided: what it returns, and the transaction that has to be stored before it returns.
struct Change<Result: Sendable>: Sendable {
    let result: Result
    let transaction: ScheduleTransaction
}

/// What one call or event changes: to be stored as one, to be undone as one, and what follows once it is stored.
struct ScheduleTransaction: Sendable {
    /// Sets an old value again.
    typealias Undo = @Sendable (inout Schedule) -> Void

    /// True where an event tells what has happened outside: that can't be undone, only stored later.
    let isFact: Bool
    /// To be stored. Where there is nothing to store, the effects follow at once.
    var records: [StoreChange] = []
    /// What follows when the records are stored; from facts also where that failed.
    var effects: [ScheduleEffect] = []
    /// Oldest first; none of a fact.
    private(set) var undo: [Undo] = []
    /// Contents that old values referred to and the new ones do not.
    var released: [(id: String, revision: Int64)] = []
    /// How many of the first records are facts of earlier transactions, whose storing failed.
    var carriedCount = 0
    /// What a pending limit has dropped, and nothing is left of: requests, and series by their bases.
    var dropped: Set<String> = []
    /// The fixes that were evaluated: again, where the records can't be stored.
    var fixes: [LocationFix] = []

    init(isFact: Bool = false) { self.isFact = isFact }

    /// A firing is two changes to the store, an entry and a notice to undo, and an order.
    mutating func reserveCapacity(forFirings count: Int) {
        guard count > 1 else { return }
        records.reserveCapacity(records.count + 2 * count)
        undo.reserveCapacity(undo.count + 2 * count)
        effects.reserveCapacity(effects.count + count)
    }

    mutating func remember(_ step: @autoclosure () -> Undo) { if !isFact { undo.append(step()) } }

    /// Replaces the requests that were stored since there were so many records, where `update` has another.
    mutating func updateStored(since first: Int, _ update: (NoticeRequest) -> NoticeRequest?) {
        for index in records.indices.dropFirst(first) {
            guard case .putRequest(let request, let revision, let progress) = records[index],
                let updated = update(request)
            else { continue }
            records[index] = .putRequest(updated, revision: revision, progress)
        }
    }

    /// Puts the effects from `second` on before those from `first` on.
    mutating func swapEffects(from first: Int, with second: Int) {
        guard first < second, second < effects.count else { return }
        effects.replaceSubrange(first..., with: effects[second...] + effects[first..<second])
    }
}
