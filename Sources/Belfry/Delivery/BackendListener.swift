/// The events of a backend. They are reported to its run in order, one at a time, and kept until a run begins.
package final class BackendListener: Sendable {
    private struct State: Sendable {
        /// Nil while nobody runs the backend.
        var report: (@Sendable (BackendEvent) -> Void)?
        var events = FIFOQueue<BackendEvent>()
        var isReporting = false

        mutating func takeNextEvent() -> (BackendEvent, @Sendable (BackendEvent) -> Void)? {
            guard !isReporting, let report, let event = events.popFirst() else { return nil }
            isReporting = true
            return (event, report)
        }
    }

    private let backend: String
    private let limit: Int
    private let state = AwaitedState(State())

    /// - Parameters:
    ///   - backend: The beginning of the error message of a second run, such as `This console backend`.
    ///   - limit: The maximum number of events that are kept while nobody runs the backend.
    package init(_ backend: String, limit: Int = 1000) {
        self.backend = backend
        self.limit = limit
    }

    /// Begins the run, and reports the events from before it. Throws ``NoticeError/Code/unsupported`` if one has begun.
    package func begin(_ report: @escaping @Sendable (BackendEvent) -> Void) throws(NoticeError) {
        let isFirst = state.withLock { state in
            guard state.report == nil else { return false }
            state.report = report
            return true
        }
        guard isFirst else {
            throw NoticeError(.unsupported, "\(backend) is running already; give each center its own.")
        }
        reportEvents()
    }

    package func end() { state.withLock { $0.report = nil } }

    /// Reports events to the run, or keeps them until it begins. Not to be called under another lock.
    package func report(_ events: [BackendEvent]) {
        state.withLock { [limit] state in
            guard state.report != nil || state.events.count < limit else { return }
            for event in events { state.events.append(event) }
        }
        reportEvents()
    }

    private func reportEvents() {
        // The first caller also reports the events that others add meanwhile; those calls return at once.
        while let (event, report) = state.withLock({ $0.takeNextEvent() }) {
            report(event)
            state.withLock { $0.isReporting = false }
        }
    }

    /// Waits until the backend runs and all events have been reported, or the task is canceled.
    package func waitUntilReported() async {
        _ = await state.waitUnlessCancelled { $0.report != nil && $0.events.isEmpty && !$0.isReporting }
    }
}
