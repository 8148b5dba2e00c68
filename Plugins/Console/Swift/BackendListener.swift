package import Belfry
import Synchronization

/// The run that a backend reports its events to, and the events from before that.
package final class BackendListener: Sendable {
    private struct State {
        var report: (@Sendable (BackendEvent) -> Void)?
        var early: [BackendEvent] = []
    }

    private static let earlyLimit = 1000

    private let name: String
    private let state = Mutex(State())

    /// - Parameter name: The backend's name.
    package init(_ name: String) { self.name = name }

    /// Begins the run, and reports the events from before it. Throws ``NoticeError/Code/unsupported`` if one has begun.
    package func begin(_ report: @escaping @Sendable (BackendEvent) -> Void) throws(NoticeError) {
        let early = state.withLock { state -> [BackendEvent]? in
            guard state.report == nil else { return nil }
            state.report = report
            defer { state.early = [] }
            return state.early
        }
        guard let early else {
            throw NoticeError(.unsupported, "This \(name) backend is running already; give each center its own.")
        }
        for event in early { report(event) }
    }

    package func end() { state.withLock { $0.report = nil } }

    /// Reports events to the run, or keeps them until it begins. Not to be called under another lock.
    package func report(_ events: [BackendEvent]) {
        let report = state.withLock { state in
            if state.report == nil, state.early.count < Self.earlyLimit { state.early += events }
            return state.report
        }
        for event in events { report?(event) }
    }
}
