/// The misfires that wait while the wall clock is in doubt: it is more than a day ahead of its last known time.
///
/// A machine with a wrong clock, or without a clock battery, may start with any wall time. Apparent misfires may then
/// not be real. They wait until the kernel reports the clock as synchronized, two minutes at most. A process that
/// starts in that time takes up the doubt of the one before.
struct ClockDoubt: Sendable {
    /// A request; or a notice that is snoozed, or waits for a retry or the end of quiet hours.
    enum Item: Sendable, Hashable {
        case request(id: String, revision: Int64)
        case notice(id: String, delivery: String)
    }

    /// What the next process needs to know.
    private(set) var stored: ClockMapping.Doubt
    /// The next time to ask the kernel, which doesn't notify, on the boot clock.
    private(set) var nextLook: Int64
    /// The deferred items, which are in no queue.
    private(set) var deferred: Set<Item> = []
    /// The items converted from an earlier boot with the doubtful clock, and their latest possible deadlines (or due
    /// times, for deliveries), on the boot clock. In the order of the store, since each change of an item is a record.
    private(set) var converted: [(item: Item, latest: Int64)] = []

    static let limit: Int64 = 120_000_000
    private static let interval: Int64 = 5_000_000

    init(_ stored: ClockMapping.Doubt, at boot: Int64) {
        self.stored = stored
        nextLook = min(stored.until, boot + Self.interval)
    }

    /// The latest end of the doubt, on the boot clock.
    var until: Int64 { stored.until }

    mutating func clockWasSet(by jump: Int64) { stored.ahead = max(0, stored.ahead + jump) }
    mutating func look(at boot: Int64) { if boot >= nextLook { nextLook = min(until, boot + Self.interval) } }
    mutating func `defer`(_ item: Item) { deferred.insert(item) }
    mutating func release(_ item: Item) { deferred.remove(item) }
    mutating func convert(_ item: Item, latest: Int64) { converted.append((item, latest)) }
}

extension ScheduleEntry {
    var doubtItem: ClockDoubt.Item { .request(id: id, revision: revision) }
}

extension DeliveryRecord {
    var doubtItem: ClockDoubt.Item { .notice(id: self.requestID, delivery: id) }
}
