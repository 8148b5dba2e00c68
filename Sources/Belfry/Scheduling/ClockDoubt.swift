/// What waits while nobody vouches for the wall clock: it stands more than a day ahead of where it was left.
///
/// A machine without a battery for its clock, or with a wrong one, starts somewhere; what then seems to have been
/// missed may not have been. Such misfires wait until the kernel says that the clock is synchronized, two minutes at
/// most.
struct ClockDoubt: Sendable {
    /// A request, or a notice that was snoozed.
    enum Item: Sendable, Hashable {
        case request(id: String, revision: Int64)
        case snooze(id: String, delivery: String)
    }

    /// When it ends at the latest, on the boot clock.
    let until: Int64
    /// When the kernel is asked next: it does not tell of itself.
    private(set) var nextLook: Int64
    /// What waits: it is in no queue.
    private(set) var deferred: Set<Item> = []
    /// What was carried over from an earlier boot by the doubtful clock, and what its deadline is at most, both on the
    /// boot clock. In the order of the store, since each change of it is a record.
    private(set) var converted: [(item: Item, latest: Int64)] = []

    private static let limit: Int64 = 120_000_000
    private static let interval: Int64 = 5_000_000

    init(at boot: Int64) {
        until = boot + Self.limit
        nextLook = boot + Self.interval
    }

    mutating func look(at boot: Int64) { if boot >= nextLook { nextLook = min(until, boot + Self.interval) } }
    mutating func `defer`(_ item: Item) { deferred.insert(item) }
    mutating func release(_ item: Item) { deferred.remove(item) }
    mutating func convert(_ item: Item, latest: Int64) { converted.append((item, latest)) }
}

extension ScheduleEntry {
    var doubtItem: ClockDoubt.Item { .request(id: id, revision: revision) }
}

extension DeliveryRecord {
    var doubtItem: ClockDoubt.Item { .snooze(id: requestID, delivery: id) }
}
