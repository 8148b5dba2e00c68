/// The calls and events that wait for their turn at the schedule, in order, grouped into transactions.
///
/// Only one task processes them at a time, so nothing changes the schedule between deciding and storing.
struct CommitQueue {
    enum Item: Sendable {
        case call(Call)
        case event(ScheduleEvent)
        case backend(BackendEvent)
        /// Location fixes are waiting in their inbox.
        case fixes
        /// Resumed when everything before it has been stored.
        case fence(CheckedContinuation<Void, Never>)
    }

    /// The largest number of items that share a transaction.
    static let groupLimit = 4_096

    private var items = FIFOQueue<Item>()
    private var isBusy = false
    /// True once the store has been read.
    var isOpen = false

    var count: Int { items.count }
    /// True if nothing waits and nothing is being stored.
    var isIdle: Bool { items.isEmpty && !isBusy }

    mutating func append(_ item: Item) { items.append(item) }

    /// Inserts events that waited for what has just been stored, before all other items.
    mutating func prepend(_ events: [BackendEvent]) { items.prepend(contentsOf: events.map(Item.backend)) }

    /// Returns true if items wait and no task processes them. The caller must then process them until ``next()``
    /// returns nil.
    mutating func begin() -> Bool {
        guard !isBusy, !items.isEmpty else { return false }
        isBusy = true
        return true
    }

    /// Removes and returns the first item and the items directly behind it that share its transaction: calls with
    /// calls, outcomes with outcomes. The two never mix, because calls may be undone and outcomes may not. Returns nil
    /// at the end.
    mutating func next() -> [Item]? {
        guard let first = items.popFirst() else {
            isBusy = false
            return nil
        }
        var group = [first]
        while group.count < Self.groupLimit, let next = items.first, first.shares(with: next) {
            _ = items.popFirst()
            group.append(next)
        }
        return group
    }

    /// Refuses all waiting calls because the store can't be read, and ends processing. The next item tries again.
    mutating func refuseAll(with error: NoticeError) {
        for item in items.removeAll() {
            switch item {
            case .call(let call): call.refuse(error)
            case .fence(let continuation): continuation.resume()
            case .event, .backend, .fixes: break
            }
        }
        isBusy = false
    }
}

extension CommitQueue.Item {
    /// The number of requests that a call or an event concerns.
    func size(in schedule: Schedule, at now: TriggerInstant) -> Int {
        switch self {
        case .call(let call): call.size(schedule)
        case .event(let event): schedule.size(of: event, at: now, upTo: EmbeddedEngine.longSize)
        case .backend, .fixes, .fence: 0
        }
    }

    /// Whether the item is the outcome of a delivery.
    var resolvesDelivery: Bool { if case .event(let event) = self { event.resolvesDelivery } else { false } }

    fileprivate func shares(with next: Self) -> Bool {
        switch (self, next) {
        case (.call, .call): true
        case (.event(let event), .event(let next)): event.isOutcome && next.isOutcome
        default: false
        }
    }
}

extension ScheduleEvent {
    /// Whether the event may share a transaction with other outcomes.
    fileprivate var isOutcome: Bool {
        if case .acknowledged = self { true } else { resolvesDelivery }
    }

    /// Whether the event is the outcome of a delivery.
    var resolvesDelivery: Bool {
        switch self {
        case .delivered, .deliveryFailed, .suppressed, .givenToApp: true
        default: false
        }
    }
}
