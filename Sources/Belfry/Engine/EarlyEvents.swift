/// The events of deliveries whose receipts have not arrived yet.
///
/// A server may report a click before it has confirmed the delivery, so such events wait for the next receipt. If no
/// delivery claims them, they belong to another program. Events of a notice that was just withdrawn are dropped, up to
/// its closing: the next delivery may reuse its handle.
struct EarlyEvents {
    /// The number of deliveries that have begun and have no outcome in the schedule yet.
    private var unresolved = 0
    /// The newest events, at most ``limit``.
    private var waiting: [BackendEvent] = []
    private var takenDown: Set<ReceiptKey> = []

    static let limit = 1_024

    mutating func beginDelivery() { unresolved += 1 }

    /// Records that a notice is being withdrawn, if a delivery in flight may get its handle.
    mutating func takeDown(_ key: ReceiptKey) { if unresolved > 0 { takenDown.insert(key) } }

    /// Keeps an event of an unknown handle.
    mutating func hold(_ event: BackendEvent, of key: ReceiptKey, from backend: String) {
        guard unresolved > 0 else { return }
        guard !takenDown.contains(key) else {
            if case .closed = event { takenDown.remove(key) }
            return
        }
        if waiting.count == Self.limit { waiting.removeFirst() }
        waiting.append(.from(backend: backend, event))
    }

    /// Records that `count` deliveries have an outcome. Returns the events that waited for one.
    mutating func resolve(_ count: Int) -> [BackendEvent] {
        guard count > 0 else { return [] }
        unresolved = max(0, unresolved - count)
        if unresolved == 0 { takenDown = [] }
        defer { waiting = [] }
        return waiting
    }
}
