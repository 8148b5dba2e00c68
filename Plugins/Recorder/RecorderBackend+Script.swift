public import Belfry

extension RecorderBackend {
    /// The calls of a backend that can be made to fail or to stall.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// The query for capabilities.
        case capabilities
        /// A delivery.
        case deliver
        /// A withdrawal.
        case withdraw
    }

    /// Makes the next `count` calls throw `error`; several scripts run one after the other.
    public func failNext(_ count: Int = 1, with error: NoticeError, on operation: Operation = .deliver) {
        state.withLock {
            $0.scripts[operation, default: .init()].next += Array(repeating: error, count: max(0, count))
        }
    }

    /// Makes every call throw `error` until ``succeed()``.
    public func failAll(with error: NoticeError, on operation: Operation = .deliver) {
        state.withLock { $0.scripts[operation, default: .init()].always = error }
    }

    /// Removes all scripted failures.
    public func succeed() {
        state.withLock { $0.scripts = [:] }
    }

    /// Makes calls wait until ``release()``, or until their task is canceled, which makes them throw
    /// ``Belfry/NoticeError/Code/backendStopped``.
    public func stall(_ operations: Set<Operation> = [.deliver]) {
        state.withLock { $0.stalling.formUnion(operations) }
    }

    /// Lets the stalled calls go on, in the order in which they came, and later calls pass.
    public func release() { state.withLock { ($0.stalling, $0.stalledCalls) = ([], []) } }

    /// Waits until `count` calls are stalled, or the task is canceled.
    public func waitUntilStalled(count: Int = 1) async {
        _ = await state.waitUnlessCancelled { $0.stalledCalls.count >= count }
    }

    /// Waits until there have been `count` deliveries in all, or the task is canceled. For tests on a real clock: a
    /// manual one returns when everything is delivered.
    public func waitForDeliveries(_ count: Int) async {
        _ = await state.waitUnlessCancelled { $0.deliveries.count >= count }
    }

    /// Waits until a center runs this backend and has received all events, or the task is canceled.
    public func waitUntilReported() async {
        await listener.waitUntilReported()
    }

    /// Waits if calls are stalled, then throws a scripted error, if any.
    func pass(_ operation: Operation) async throws(NoticeError) {
        if let id = state.withLock({ $0.stall(operation) }) {
            _ = await state.waitUnlessCancelled { !$0.stalledCalls.contains(id) }
            state.withLock { _ = $0.stalledCalls.remove(id) }
            guard !Task.isCancelled else {
                throw NoticeError(.backendStopped, "The stalled call to \(operation.rawValue) was canceled.")
            }
        }
        if let error = state.withLock({ $0.takeFailure(of: operation) }) { throw error }
    }

}
