/// What a call decided: what it returns, and the transaction that has to be stored before it returns.
struct Change<Result: Sendable>: Sendable {
    let result: Result
    let transaction: ScheduleTransaction
}

/// What one call or event changes: to be stored as one, to be undone as one, and what follows once it is stored.
struct ScheduleTransaction: Sendable {
    enum Undo: Sendable {
        case newEntry(String)
        case entry(ScheduleEntry)
        case newNotice(String)
        indirect case notice(NoticeState)
        indirect case owner(RequestOwner, [String: OwnedEntry])
        indirect case quiet(QuietWatch?)
        /// It has ended; behind the changes that let go of what it held.
        indirect case hold(MisfireHold)
        case arrivals(String, [Schedule.Arrival])
        /// A request with a region, and the newest such before it.
        case newPlace(String, newest: Int64)
        indirect case placeEntry(ScheduleEntry, CircularRegion, RegionProgress?)
        /// What was known of a region.
        case place(String, RegionProgress?)
        indirect case marks(RegionMarks)
        indirect case feed(String, FeedWatch?, RegionFeedRecord?)
    }

    /// True where an event tells what has happened outside: that can't be undone, only stored later.
    let isFact: Bool
    /// To be stored. Where there is nothing to store, the effects follow at once.
    var records: [StoreChange] = []
    /// What follows when the records are stored; from facts also where that failed.
    var effects: [ScheduleEffect] = []
    /// Old values, oldest first.
    var undo: [Undo] = []
    /// Contents that old values referred to and the new ones do not.
    var released: [(id: String, revision: Int64)] = []
    /// How many of the first records are facts of earlier transactions, whose storing failed.
    var carriedCount = 0
    /// What a pending limit has dropped, and nothing is left of: requests, and series by their bases.
    var dropped: Set<String> = []
    /// The fixes that were judged: again, where the records can't be stored.
    var fixes: [LocationFix] = []

    init(isFact: Bool = false) { self.isFact = isFact }

    /// A firing is two changes to the store, an entry and a notice to undo, and an order.
    mutating func reserveCapacity(forFirings count: Int) {
        guard count > 1 else { return }
        records.reserveCapacity(records.count + 2 * count)
        undo.reserveCapacity(undo.count + 2 * count)
        effects.reserveCapacity(effects.count + count)
    }
}
