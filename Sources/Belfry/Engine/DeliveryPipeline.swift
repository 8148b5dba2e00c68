/// What the backend is to do, in order, how many deliveries it has in hand, and what is known of it.
///
/// A nonblocking backend gets one delivery more at a time with each receipt that comes soon. One that is slow gets one
/// at a time: those behind it would run into their timeout.
struct DeliveryPipeline {
    enum Item {
        case deliver(DeliveryOrder)
        case withdraw(DeliveryReceipt)
        /// What is before it was part of what a caller asked for: done means done.
        case mark(() -> Void)
    }

    /// A receipt that comes within this is soon.
    static let soon = Duration.milliseconds(250)

    /// How many deliveries the backend may ever have in hand.
    let largestWindow: Int
    private var window = 1
    private var inFlight = 0
    private var waiter: CheckedContinuation<Void, Never>?

    private var items = FIFOQueue<Item>()
    /// Somebody is working it off.
    private var isBusy = false
    private var withdrawals = 0
    private var earlyEvents = EarlyEvents()

    /// What the backend said last that it can show; nil where its server may have changed since.
    private(set) var capabilities: DeliveryCapabilities?
    /// The backend's last call took longer than its timeout.
    private(set) var isStuck = false

    init(largestWindow: Int) { self.largestWindow = largestWindow }

    /// Nothing waits for the backend, and it has nothing in hand.
    var isIdle: Bool { !isBusy && items.isEmpty && inFlight == 0 }
    /// Whether notices are to be taken down that still stand.
    var hasWithdrawals: Bool { withdrawals > 0 }

    // MARK: The line

    mutating func append(_ item: Item) {
        switch item {
        case .deliver: earlyEvents.beginDelivery()
        case .withdraw(let receipt):
            earlyEvents.takeDown(receipt.key)
            withdrawals += 1
        case .mark: break
        }
        items.append(item)
    }

    /// True where something waits and nobody works it off: the caller does so from now on, until ``next()`` is nil.
    mutating func begin() -> Bool {
        guard !isBusy, !items.isEmpty else { return false }
        isBusy = true
        return true
    }

    mutating func next() -> Item? {
        let item = items.popFirst()
        isBusy = item != nil
        return item
    }

    /// A notice that was to be taken down is gone.
    mutating func hasWithdrawn() { withdrawals -= 1 }

    // MARK: In flight

    /// Whether the backend may get another delivery.
    var hasRoom: Bool { inFlight < window }
    var isEmpty: Bool { inFlight == 0 }

    /// Resumes `waiter` when a delivery has ended.
    mutating func wait(_ waiter: CheckedContinuation<Void, Never>) {
        if isEmpty { waiter.resume() } else { self.waiter = waiter }
    }

    mutating func beginDelivery() { inFlight += 1 }

    /// - Parameter took: nil where no receipt came within the timeout. One that comes yet may be overtaken by events.
    mutating func endDelivery(after took: Duration?) {
        inFlight -= 1
        window = took.map { $0 < Self.soon } == true ? min(largestWindow, window + 1) : 1
        if took == nil { earlyEvents.beginDelivery() }
        hasAnswered(inTime: took != nil)
        waiter?.resume()
        waiter = nil
    }

    // MARK: What is known of the backend

    mutating func hasAnswered(inTime: Bool) { isStuck = !inTime }
    mutating func know(_ capabilities: DeliveryCapabilities?) { self.capabilities = capabilities }

    /// Keeps an event of a handle that nobody knows: the delivery that it belongs to may have no receipt yet.
    mutating func hold(_ event: BackendEvent, of key: ReceiptKey, from backend: String) {
        earlyEvents.hold(event, of: key, from: backend)
    }

    /// So many deliveries have an outcome. Returns the events that waited for it.
    mutating func resolve(_ count: Int) -> [BackendEvent] { earlyEvents.resolve(count) }
}
