/// The work of the backend in order, the number of deliveries in flight, and the backend's known state.
///
/// The number of deliveries in flight grows by one with each quick receipt. A slow backend gets one at a time:
/// deliveries behind that one would run into their timeout.
struct DeliveryPipeline {
    enum Item {
        case deliver(DeliveryOrder)
        case withdraw(DeliveryReceipt)
    }

    /// The longest time for a receipt that counts as quick.
    static let soon = Duration.milliseconds(250)

    /// The upper limit for deliveries in flight.
    let largestWindow: Int
    private var window = 1
    private var inFlight = 0
    /// The canceled deliveries that the backend is still processing, each with the removals that wait for it.
    private(set) var canceled: [DeliveryReference: [CheckedContinuation<Void, Never>]] = [:]

    private var items = FIFOQueue<Item>()
    /// True while a task works through the items.
    private var isBusy = false
    /// The number of notices to be removed from the screen so far, and of those that have been.
    private(set) var withdrawalCount = 0
    private(set) var withdrawnCount = 0
    /// The callers that wait until so many have been removed.
    private var withdrawalCallers: [Int: [CheckedContinuation<Void, Never>]] = [:]
    /// The delivery that the app's code decides about now. All items wait for that.
    var undecided: String?
    private var earlyEvents = EarlyEvents()

    /// The capabilities that the backend last reported; nil if its server may have changed since.
    private(set) var capabilities: DeliveryCapabilities?
    /// How often the server has changed.
    private(set) var serverChanges = 0
    /// True if the backend's last call took longer than its timeout.
    var isStuck = false
    /// The number that the backend has put on the app's icon; 0 if there is none. Docks remove it at the backend's end.
    var badge = 0

    init(largestWindow: Int) { self.largestWindow = largestWindow }

    /// True if nothing waits for the backend and nothing is in flight.
    var isIdle: Bool { !isBusy && items.isEmpty && inFlight == 0 }

    // MARK: Capabilities

    mutating func serverChanged() {
        capabilities = nil
        serverChanges += 1
    }

    /// Keeps a reply, unless it is that of an earlier server.
    mutating func keep(_ reply: DeliveryCapabilities, askedAfter changes: Int) {
        if changes == serverChanges { capabilities = reply }
    }

    // MARK: The queue

    mutating func append(_ item: Item) {
        switch item {
        case .deliver: earlyEvents.beginDelivery()
        case .withdraw(let receipt):
            earlyEvents.takeDown(receipt.key)
            withdrawalCount += 1
        }
        items.append(item)
    }

    /// Returns true if items wait and no task works on them. The caller must then do so until ``next()`` returns nil.
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

    // MARK: Removals

    // Thousands of callers may wait at once. They are found by what they wait for, not by looking at each of them.

    /// Records that a delivery in flight was canceled.
    mutating func cancel(_ delivery: DeliveryReference) { canceled[delivery] = canceled[delivery] ?? [] }

    /// Resumes a caller when the backend is done with a canceled delivery.
    mutating func awaitRelease(of delivery: DeliveryReference, _ caller: CheckedContinuation<Void, Never>) {
        guard canceled[delivery] != nil else { return caller.resume() }
        canceled[delivery]?.append(caller)
    }

    /// Records that the backend is done with a canceled delivery.
    mutating func release(_ delivery: DeliveryReference) {
        for caller in canceled.removeValue(forKey: delivery) ?? [] { caller.resume() }
    }

    /// Resumes a caller when all notices that are to be removed from the screen now have been.
    mutating func awaitWithdrawals(_ caller: CheckedContinuation<Void, Never>) {
        guard withdrawnCount < withdrawalCount else { return caller.resume() }
        withdrawalCallers[withdrawalCount, default: []].append(caller)
    }

    /// Records that a notice has been removed from the screen.
    mutating func hasWithdrawn() {
        withdrawnCount += 1
        for caller in withdrawalCallers.removeValue(forKey: withdrawnCount) ?? [] { caller.resume() }
    }

    // MARK: In flight

    /// Whether the backend may get another delivery.
    var hasRoom: Bool { inFlight < window }
    var isEmpty: Bool { inFlight == 0 }

    mutating func beginDelivery() { inFlight += 1 }

    /// - Parameter took: nil if no receipt came within the timeout. Events may still overtake a late receipt.
    mutating func endDelivery(after took: Duration?) {
        inFlight -= 1
        window = took.map { $0 < Self.soon } == true ? min(largestWindow, window + 1) : 1
        if took == nil { earlyEvents.beginDelivery() }
        isStuck = took == nil
    }

    // MARK: Early events

    /// Keeps an event of an unknown handle: the receipt of its delivery may not have arrived yet.
    mutating func hold(_ event: BackendEvent, of key: ReceiptKey, from backend: String) {
        earlyEvents.hold(event, of: key, from: backend)
    }

    /// Records that `count` deliveries have an outcome. Returns the events that waited for one.
    mutating func resolve(_ count: Int) -> [BackendEvent] { earlyEvents.resolve(count) }
}
