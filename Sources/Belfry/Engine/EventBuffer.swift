/// The events that one listener has not read yet, in order.
///
/// A listener that is too slow loses the oldest events of those that the center records elsewhere. What is recorded
/// nowhere else is never displaced.
struct EventBuffer: Sendable {
    /// The number of events that are kept of either sort.
    static let limit = 1_024

    private struct Item {
        let number: Int
        let event: CenterEvent
    }

    private var recorded = FIFOQueue<Item>()
    private var unrecorded = FIFOQueue<Item>()
    private var lastNumber = 0

    /// Appends an event. Returns true if there is one more than before: it is neither left out nor displaces another.
    mutating func append(_ event: CenterEvent) -> Bool {
        lastNumber += 1
        let item = Item(number: lastNumber, event: event)
        if event.mustBeHeard {
            // Of too many, the oldest are kept, since they say most about the cause.
            guard unrecorded.count < Self.limit else { return false }
            unrecorded.append(item)
            return true
        }
        recorded.append(item)
        guard recorded.count > Self.limit else { return true }
        _ = recorded.popFirst()
        return false
    }

    /// Removes and returns the oldest event.
    mutating func popFirst() -> CenterEvent? {
        guard let item = unrecorded.first, item.number < recorded.first?.number ?? .max else {
            return recorded.popFirst()?.event
        }
        return unrecorded.popFirst()?.event
    }
}

extension CenterEvent {
    /// Whether it is recorded nowhere else: an error that concerns no single request, or an undisplayed notice.
    var mustBeHeard: Bool {
        switch self {
        case .error, .undisplayed: true
        case .history, .delivered: false
        }
    }
}
