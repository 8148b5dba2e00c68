/// What the backend is to do, in order.
struct DeliveryLane {
    enum Item {
        case deliver(DeliveryOrder)
        case withdraw(DeliveryReceipt)
        /// What is before it in line was part of what a caller asked for: done means done.
        case mark(() -> Void)
    }

    private var items = FIFOQueue<Item>()
    /// Somebody is working it off.
    private(set) var isBusy = false
    private var withdrawals = 0

    /// Whether notices are to be taken down that still stand.
    var hasWithdrawals: Bool { withdrawals > 0 }

    /// True where nobody works it off yet.
    mutating func append(_ item: Item) -> Bool {
        if case .withdraw = item { withdrawals += 1 }
        items.append(item)
        defer { isBusy = true }
        return !isBusy
    }

    /// The next item for whoever works it off; nil ends that.
    mutating func next() -> Item? {
        let item = items.popFirst()
        isBusy = item != nil
        return item
    }

    /// A notice that was to be taken down is gone.
    mutating func hasWithdrawn() { withdrawals -= 1 }
}
