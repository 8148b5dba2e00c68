/// The notices that are in flight, delivered, deferred or snoozed, by the identifier of their request; with their
/// deadlines and their lookup tables.
///
/// Every change returns the old value, so that a failed transaction can be undone.
struct NoticeTable: Sendable {
    private var states = SlotTable<NoticeState>()
    /// Deliveries to retry, on the boot clock.
    private(set) var retries = DeadlineQueue()
    /// The ends of quiet hours that deferred notices wait for, on the wall clock.
    private(set) var deferrals = DeadlineQueue()
    private(set) var wallSnoozes = DeadlineQueue()
    private(set) var bootSnoozes = DeadlineQueue()
    /// Identifiers by series.
    private(set) var members = SeriesMembers()
    /// Identifiers of delivered notices by the handle that the server assigned.
    private(set) var idsByReceipt: [ReceiptKey: String] = [:]
    /// The delivered notices by the time of their showing.
    private var showings = DeadlineQueue()
    /// The identifiers of the existing summaries.
    private(set) var summaryIDs: Set<String> = []
    /// The identifiers of the snoozed notices.
    private(set) var snoozedIDs: Set<String> = []

    // MARK: Reading

    var count: Int { states.count }
    var ids: some Collection<String> { states.ids }

    /// Returns the identifiers in a range of slots; nil past the last one.
    func idSlice(from slot: Int, slotCount: Int) -> [String]? { states.idSlice(from: slot, slotCount: slotCount) }

    func slot(of id: String) -> Int32? { states.slot(of: id) }

    subscript(slot: Int32) -> NoticeState? { states[slot] }
    subscript(id: String) -> NoticeState? { states[id] }

    /// Reads a state in place.
    func value<Result>(of id: String, _ look: (NoticeState) -> Result) -> Result? { states.value(of: id, look) }

    /// The earliest deadline of a retry or a snooze on the boot clock, and of a snooze or a deferral on the wall clock.
    var nextOnBoot: Int64? { earliest(retries.first?.deadline, bootSnoozes.first?.deadline) }
    var nextOnWall: Int64? { earliest(deferrals.first?.deadline, wallSnoozes.first?.deadline) }
    var nextSnooze: (wall: Int64?, boot: Int64?) { (wallSnoozes.first?.deadline, bootSnoozes.first?.deadline) }

    var deliveredCount: Int { showings.count }
    /// The identifier of the notice that has been on the screen longest.
    var oldestDelivered: String? { showings.first.flatMap { states[$0.slot]?.id } }

    /// The slots of deferred notices, unordered.
    var deferredSlots: [Int32] { deferrals.slots }

    /// The number of notices that no longer wait, counted up to `limit` for each reason of waiting. O(limit).
    func dueCount(at now: TriggerInstant, upTo limit: Int) -> Int {
        let onBoot = retries.dueCount(at: now.boot, upTo: limit) + bootSnoozes.dueCount(at: now.boot, upTo: limit)
        let onWall = deferrals.dueCount(at: now.wall, upTo: limit) + wallSnoozes.dueCount(at: now.wall, upTo: limit)
        return onBoot + onWall
    }

    // MARK: Changing

    mutating func reserveCapacity(_ count: Int) { states.reserveCapacity(count) }

    /// Sets a state, or removes it if it has no notice. Returns the old one, which has none if there was none.
    ///
    /// - Parameter doubt: notices that it defers get no deadline.
    mutating func set(_ new: NoticeState, doubt: ClockDoubt?) -> NoticeState {
        let empty = NoticeState(id: new.id)
        let slot: Int32
        let old: NoticeState
        if new.isEmpty {
            guard let full = states.slot(of: new.id) else { return empty }
            slot = full
            old = states.remove(slot) ?? empty
        } else {
            let (changed, replaced) = states.put(new)
            slot = changed
            old = replaced ?? empty
        }
        relink(slot, from: old, to: new, doubt: doubt)
        return old
    }

    /// Removes and returns the next delivery to retry.
    mutating func takeRetry(dueAt boot: Int64) -> String? {
        while let item = retries.popFirst(dueAt: boot) { if let state = states[item.slot] { return state.id } }
        return nil
    }

    /// Removes and returns the notices whose quiet hours have ended.
    mutating func takeDeferrals(dueAt wall: Int64) -> [Int32] { deferrals.popAll(dueAt: wall).map(\.slot) }

    /// Removes and returns the snoozes that have ended.
    mutating func takeSnoozes(dueAt now: TriggerInstant) -> [DeliveryRecord] {
        let due = wallSnoozes.popAll(dueAt: now.wall) + bootSnoozes.popAll(dueAt: now.boot)
        return due.compactMap { states[$0.slot]?.snoozed }
    }

    /// The deadlines of a state, and what it is found by; most changes leave that as it is.
    private mutating func relink(
        _ slot: Int32,
        from old: NoticeState,
        to new: NoticeState,
        doubt: ClockDoubt?
    ) {
        let id = new.id
        if old.delivered?.record != new.delivered?.record {
            relink(id, from: old.delivered, to: new.delivered)
            let shownAt = new.delivered?.shownAt.wall
            showings.set(slot: slot, deadline: shownAt, order: new.delivered?.revision ?? 0)
        }
        let (oldBases, newBases) = (old.seriesBases, new.seriesBases)
        if oldBases != newBases {
            for base in oldBases { members.remove(id, of: base) }
            for base in newBases { members.insert(id, of: base) }
        }
        if id.hasPrefix(Schedule.summaryPrefix) {
            if new.isSummary { summaryIDs.insert(id) } else { summaryIDs.remove(id) }
        }
        if (old.snoozed == nil) != (new.snoozed == nil) {
            if new.snoozed != nil { snoozedIDs.insert(id) } else { snoozedIDs.remove(id) }
        }
        func isDeferred(_ record: DeliveryRecord) -> Bool { doubt?.deferred.contains(record.doubtItem) ?? false }
        let underWay = new.underWay.flatMap { isDeferred($0.record) ? nil : $0 }
        let record = underWay?.occurrence.record
        retries.set(slot: slot, deadline: underWay?.retryAt, order: record?.revision ?? 0)
        deferrals.set(slot: slot, deadline: underWay?.deferredUntil, order: record?.dueAt.wall ?? 0)
        var (wall, boot): (Int64?, Int64?)
        switch new.snoozed.flatMap({ isDeferred($0) ? nil : $0.wait }) {
        case .snoozedOnBoot(let until): boot = until
        case .snoozedOnWall(let until), .snoozedToLocal(_, let until): wall = until
        case .quietHours, nil: break
        }
        wallSnoozes.set(slot: slot, deadline: wall, order: new.snoozed?.revision ?? 0)
        bootSnoozes.set(slot: slot, deadline: boot, order: new.snoozed?.revision ?? 0)
    }

    private mutating func relink(_ id: String, from old: NoticeState.Delivered?, to new: NoticeState.Delivered?) {
        let key = new?.receipt.key
        // Most servers show a notice under the number of the one that it replaces.
        if let old = old?.receipt.key, old != key, let index = idsByReceipt.index(forKey: old),
            idsByReceipt[index].value == id
        {
            idsByReceipt.remove(at: index)
        }
        if let key { idsByReceipt[key] = id }
    }
}

extension ReceiptKey {
    /// Nearly all notices of a process are of one backend and one run of its server.
    func hash(into hasher: inout Hasher) { hasher.combine(handle) }
}
