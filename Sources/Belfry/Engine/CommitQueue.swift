/// What waits for its turn at the schedule, in order, and what of it shares a transaction.
///
/// One takes turns at a time: nothing happens to the schedule between deciding and storing.
struct CommitQueue {
    enum Item {
        case call(Call)
        case event(ScheduleEvent)
        case backend(BackendEvent)
        /// There are fixes in their inbox.
        case fixes
        /// Resumed when everything before it is stored.
        case fence(CheckedContinuation<Void, Never>)
    }

    /// No more than so many share a transaction.
    static let groupLimit = 4_096

    private var items = FIFOQueue<Item>()
    private var isBusy = false
    /// The store has been read.
    private(set) var isOpen = false

    var count: Int { items.count }
    /// Nothing waits, and nothing is being stored.
    var isIdle: Bool { items.isEmpty && !isBusy }

    mutating func append(_ item: Item) { items.append(item) }

    /// Events that waited for what has been stored now: they come before all others.
    mutating func prepend(_ events: [BackendEvent]) { items.prepend(contentsOf: events.map(Item.backend)) }

    /// True where something waits and nobody takes turns yet: the caller does so from now on, until ``next()`` is nil.
    mutating func begin() -> Bool {
        guard !isBusy, !items.isEmpty else { return false }
        isBusy = true
        return true
    }

    /// The first item and those right behind it that share its transaction: calls with calls, outcomes with outcomes.
    /// Calls may be undone and outcomes may not, so the two never mix. Nil ends the caller's turns.
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

    mutating func open() { isOpen = true }

    /// The store can't be read: whoever waits is told, and the turns end. The next item tries again.
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
    fileprivate func shares(with next: Self) -> Bool {
        switch (self, next) {
        case (.call, .call): true
        case (.event(let event), .event(let next)): event.isOutcome && next.isOutcome
        default: false
        }
    }
}

extension ScheduleEvent {
    /// Whether the event may share a transaction with others of its kind.
    fileprivate var isOutcome: Bool {
        if case .acknowledged = self { true } else { resolvesDelivery }
    }

    /// Whether it says what became of a delivery.
    var resolvesDelivery: Bool {
        switch self {
        case .delivered, .deliveryFailed, .suppressed, .handedOver: true
        default: false
        }
    }
}
