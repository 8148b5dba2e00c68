package import Belfry
import Synchronization

/// Keeps what a backend reports.
package final class EventLog: Sendable {
    private let events = Mutex<[BackendEvent]>([])

    package init() {}

    package var all: [BackendEvent] { events.withLock { $0 } }
    package func add(_ event: BackendEvent) { events.withLock { $0.append(event) } }

    /// The messages of the problems of this code.
    package func problems(_ code: NoticeError.Code) -> [String] {
        all.compactMap { event in
            guard case .error(let error) = event, error.code == code else { return nil }
            return error.message
        }
    }
}
