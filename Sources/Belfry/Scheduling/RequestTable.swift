/// The pending requests by identifier, each with its deadline on the clock of its trigger.
///
/// Every change returns the old value, so that a failed transaction can be undone.
struct RequestTable: Sendable {
    private var entries = SlotTable<ScheduleEntry>()
    /// The deadlines by slot. Setting a queue replaces all deadlines of its clock, in O(n).
    var wallQueue = DeadlineQueue()
    var bootQueue = DeadlineQueue()
    /// The identifiers of pending elements by series.
    private(set) var members = SeriesMembers()
    /// The calendar rules that entries share.
    var rules = RuleTable()
    /// Greater than every revision assigned so far.
    private(set) var nextRevision: Int64 = 1

    // MARK: Reading

    var count: Int { entries.count }
    var ids: some Collection<String> { entries.ids }
    /// All entries, unordered.
    var all: some Collection<ScheduleEntry> { entries.all }

    /// Returns the identifiers in a range of slots; nil past the last one.
    func idSlice(from slot: Int, slotCount: Int) -> [String]? { entries.idSlice(from: slot, slotCount: slotCount) }

    func slot(of id: String) -> Int32? { entries.slot(of: id) }

    subscript(slot: Int32) -> ScheduleEntry? { entries[slot] }
    subscript(id: String) -> ScheduleEntry? { entries[id] }

    /// Reads an entry in place.
    func value<Result>(of id: String, _ look: (ScheduleEntry) -> Result) -> Result? { entries.value(of: id, look) }

    /// The earliest deadline on the wall clock, and on the boot clock.
    var nextOnWall: Int64? { wallQueue.first?.deadline }
    var nextOnBoot: Int64? { bootQueue.first?.deadline }

    // MARK: Changing

    /// Returns a new revision, greater than all others. It is not reused, even if storing fails.
    mutating func takeRevision() -> Int64 {
        defer { nextRevision += 1 }
        return nextRevision
    }

    /// Skips revisions that a stored request, or the store itself, has assigned already.
    mutating func skipRevisions(below revision: Int64) { nextRevision = max(nextRevision, revision) }

    /// - Parameter isDeferred: the entry gets no deadline, because the wall clock is in doubt.
    mutating func set(_ new: ScheduleEntry, isDeferred: Bool) -> ScheduleEntry? {
        let (slot, old) = entries.put(new)
        if let old { dequeue(slot, old) }
        relink(new, replacing: old)
        enqueue(slot, new, isDeferred: isDeferred)
        return old
    }

    mutating func remove(_ slot: Int32) -> ScheduleEntry? {
        guard let old = entries.remove(slot) else { return nil }
        if let base = old.series { members.remove(old.id, of: base) }
        dequeue(slot, old)
        return old
    }

    /// Changes every entry in place, but not its deadline in a queue. O(n).
    mutating func updateAll(_ change: (Int32, inout ScheduleEntry) -> Void) { entries.updateAll(change) }

    /// The number of due entries, counted up to `limit` for each clock. O(limit).
    func dueCount(at now: TriggerInstant, upTo limit: Int) -> Int {
        wallQueue.dueCount(at: now.wall, upTo: limit) + bootQueue.dueCount(at: now.boot, upTo: limit)
    }

    /// Removes due entries from their queues and returns them, ordered by wall clock, then by the order of adding.
    mutating func takeDue(at now: TriggerInstant) -> [DeadlineQueue.Item] {
        let onWall = wallQueue.popAll(dueAt: now.wall)
        var onBoot = bootQueue.popAll(dueAt: now.boot)
        for index in onBoot.indices { onBoot[index].deadline += now.wall - now.boot }
        if onBoot.isEmpty || onWall.isEmpty { return onBoot.isEmpty ? onWall : onBoot }
        // Two runs in order, which sorting merges.
        return (onWall + onBoot).sorted { $0 < $1 }
    }

    // MARK: Restoring

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    /// Inserts an entry without a deadline: building each heap at once is O(n).
    mutating func restore(_ entry: ScheduleEntry) -> (slot: Int32, replaced: ScheduleEntry?) {
        let (slot, replaced) = entries.put(entry)
        relink(entry, replacing: replaced)
        return (slot, replaced)
    }

    private mutating func relink(_ new: ScheduleEntry, replacing old: ScheduleEntry?) {
        if let base = old?.series, base != new.series { members.remove(new.id, of: base) }
        if let base = new.series { members.insert(new.id, of: base) }
    }

    private mutating func enqueue(_ slot: Int32, _ entry: ScheduleEntry, isDeferred: Bool) {
        guard let deadline = entry.deadline, !isDeferred else { return }
        if entry.waitsOnBootClock {
            bootQueue.set(slot: slot, deadline: deadline, order: entry.revision)
        } else {
            wallQueue.set(slot: slot, deadline: deadline, order: entry.revision)
        }
    }

    private mutating func dequeue(_ slot: Int32, _ entry: ScheduleEntry) {
        if entry.waitsOnBootClock { bootQueue.remove(slot: slot) } else { wallQueue.remove(slot: slot) }
    }
}
