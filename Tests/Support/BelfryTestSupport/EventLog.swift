package import Belfry

/// Keeps what a backend reports, and lets a test wait for it.
package final class EventLog: Sendable {
    private let events = AwaitedState<[BackendEvent]>([])

    package init() {}

    package var all: [BackendEvent] { events.current }
    package func add(_ event: BackendEvent) { events.withLock { $0.append(event) } }

    /// The first so many; fewer where the test's time limit cancels it.
    package func first(_ count: Int) async -> [BackendEvent] {
        _ = await events.waitUnlessCancelled { $0.count >= count }
        return Array(all.prefix(count))
    }

    /// The messages of the problems of this code.
    package func problems(_ code: NoticeError.Code) -> [String] {
        all.compactMap { event in
            guard case .error(let error) = event, error.code == code else { return nil }
            return error.message
        }
    }
}
