/// What a backend tells of deliveries before their receipts are there.
///
/// A server may tell of a click before it has confirmed the delivery: such events wait until one is confirmed. What in
/// the end belongs to nobody is another program's. What a server tells of a notice that was just taken down, up to its
/// closing, is over: the handle may be that of the next delivery.
struct EarlyEvents {
    /// How many deliveries are begun whose outcome the schedule does not know yet.
    private var unresolved = 0
    /// No more than ``limit``, the newest.
    private var waiting: [BackendEvent] = []
    private var takenDown: Set<ReceiptKey> = []

    static let limit = 1_024

    mutating func beginDelivery() { unresolved += 1 }

    /// A notice is taken down while a delivery may get its handle.
    mutating func takeDown(_ key: ReceiptKey) { if unresolved > 0 { takenDown.insert(key) } }

    /// Keeps an event of a handle that nobody knows.
    mutating func hold(_ event: BackendEvent, of key: ReceiptKey, from backend: String) {
        guard unresolved > 0 else { return }
        guard !takenDown.contains(key) else {
            if case .closed = event { takenDown.remove(key) }
            return
        }
        if waiting.count == Self.limit { waiting.removeFirst() }
        waiting.append(.from(backend: backend, event))
    }

    /// So many deliveries have an outcome. Returns the events that waited for it.
    mutating func resolve(_ count: Int) -> [BackendEvent] {
        guard count > 0 else { return [] }
        unresolved = max(0, unresolved - count)
        if unresolved == 0 { takenDown = [] }
        defer { waiting = [] }
        return waiting
    }
}
