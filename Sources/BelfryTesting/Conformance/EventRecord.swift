import Belfry

/// The events that a backend has reported, in order. A check can wait for the next one.
final class EventRecord: Sendable {
    private let events = AwaitedState<[BackendEvent]>([])

    var all: [BackendEvent] { events.current }

    func add(_ event: BackendEvent) { events.withLock { $0.append(event) } }

    /// Returns the first matching event, already reported or still to come. Throws if the waiting task is canceled.
    func first(
        after count: Int,
        where wanted: @escaping @Sendable (BackendEvent) -> Bool
    ) async throws -> BackendEvent {
        _ = await events.waitUnlessCancelled { $0.dropFirst(count).contains(where: wanted) }
        guard let found = all.dropFirst(count).first(where: wanted) else { throw CancellationError() }
        return found
    }
}

extension BackendEvent {
    /// The event without the name of the backend in a chain that sent it.
    private var bare: BackendEvent { if case .from(_, let event) = self { event.bare } else { self } }

    /// The delivery that the event is about, if any.
    var reference: DeliveryReceipt.Reference? {
        switch bare {
        case .responded(let reference, _, _, _), .closed(let reference, _): reference
        default: nil
        }
    }

    /// A violation of a plug-in's contract, if the host reports one.
    var misbehavior: String? {
        guard case .error(let error) = bare, error.code == .pluginMisbehaved else { return nil }
        return error.message
    }

    var isResponse: Bool { if case .responded = bare { true } else { false } }
    var isClosing: Bool { if case .closed = bare { true } else { false } }
}
