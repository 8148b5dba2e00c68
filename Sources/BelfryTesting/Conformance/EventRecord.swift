import Belfry
import Synchronization

/// What a backend has reported, in order; a check can wait for news.
final class EventRecord: Sendable {
    private struct State {
        var events: [BackendEvent] = []
        var waiters:
            [UInt64: (wanted: @Sendable (BackendEvent) -> Bool, found: CheckedContinuation<BackendEvent?, Never>)] =
                [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    var all: [BackendEvent] { state.withLock { $0.events } }

    func add(_ event: BackendEvent) {
        let found = state.withLock { state in
            state.events.append(event)
            let found = state.waiters.filter { $0.value.wanted(event) }
            for id in found.keys { state.waiters[id] = nil }
            return Array(found.values)
        }
        for waiter in found { waiter.found.resume(returning: event) }
    }

    /// The first such event, of those that were reported already or come; nil when the waiting task is cancelled.
    func first(where wanted: @escaping @Sendable (BackendEvent) -> Bool) async -> BackendEvent? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> BackendEvent?? in
                    if let found = state.events.first(where: wanted) { return .some(found) }
                    if Task.isCancelled { return .some(nil) }
                    state.waiters[id] = (wanted, continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.found.resume(returning: nil)
        }
    }
}

extension BackendEvent {
    /// Without the name of the backend of a chain that it came from.
    private var bare: BackendEvent { if case .from(_, let event) = self { event.bare } else { self } }

    /// Which delivery it is about, if about one.
    var reference: DeliveryReceipt.Reference? {
        switch bare {
        case .answered(let reference, _, _, _), .closed(let reference, _): reference
        default: nil
        }
    }

    /// What a plug-in did against its contract, where its host reports that.
    var breach: String? {
        guard case .error(let error) = bare, error.code == .pluginMisbehaved else { return nil }
        return error.message
    }

    var isAnswer: Bool { if case .answered = bare { true } else { false } }
    var isClosing: Bool { if case .closed = bare { true } else { false } }
}
