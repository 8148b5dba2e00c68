import Belfry
import Synchronization

/// What a backend has reported, in order; one task at a time can wait for more.
final class EventRecord: Sendable {
    private let events = Mutex<[BackendEvent]>([])
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    var all: [BackendEvent] { events.withLock { $0 } }

    func add(_ event: BackendEvent) {
        events.withLock { $0.append(event) }
        continuation.yield()
    }

    /// The first such event behind the first `count`, of those that were reported already or come.
    func first(after count: Int, where wanted: (BackendEvent) -> Bool) async throws -> BackendEvent {
        while true {
            if let found = all.dropFirst(count).first(where: wanted) { return found }
            for await _ in stream { break }
            try Task.checkCancellation()
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
