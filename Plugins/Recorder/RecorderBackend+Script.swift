public import Belfry
import Synchronization

extension RecorderBackend {
    /// The calls of a backend that can be made to fail or to stall.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// The question what it can show.
        case capabilities
        /// A delivery.
        case deliver
        /// A withdrawal.
        case withdraw
    }

    /// The next `count` calls throw `error`; several scripts follow one another.
    public func failNext(_ count: Int = 1, with error: NoticeError, on operation: Operation = .deliver) {
        state.withLock {
            $0.scripts[operation, default: .init()].next += Array(repeating: error, count: max(0, count))
        }
    }

    /// Every call throws `error` until ``succeed()``.
    public func failAll(with error: NoticeError, on operation: Operation = .deliver) {
        state.withLock { $0.scripts[operation, default: .init()].always = error }
    }

    /// Forgets all scripted failures.
    public func succeed() {
        state.withLock { $0.scripts = [:] }
    }

    /// Calls wait until ``release()``, or until their task is cancelled, which makes them throw
    /// ``Belfry/NoticeError/Code/backendStopped``.
    public func stall(_ operations: Set<Operation> = [.deliver]) {
        state.withLock { $0.stalling.formUnion(operations) }
    }

    /// Lets the stalled calls go on, in the order in which they came, and later calls pass.
    public func release() {
        let calls = state.withLock { state in
            defer { (state.stalling, state.stalledCalls) = ([], [:]) }
            return state.stalledCalls.sorted { $0.key < $1.key }
        }
        for call in calls { call.value.continuation.resume() }
    }

    /// Returns when so many calls are stalled, or when the task is cancelled.
    public func waitUntilStalled(count: Int = 1) async { await wait(for: .stalled(count)) }

    /// Returns when there have been so many deliveries in all, or when the task is cancelled. For tests on a real
    /// clock: a manual one returns when everything is delivered.
    public func waitForDeliveries(_ count: Int) async { await wait(for: .deliveries(count)) }

    /// Returns when a center runs this backend and all news has been reported to it, or when the task is cancelled.
    public func waitUntilReported() async { await wait(for: .reported) }

    private func wait(for goal: RecorderState.Waiter.Goal) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    // Looked at under the lock: the handler below either ran before, or finds the waiter.
                    if state.isReached(goal) || Task.isCancelled { return true }
                    state.waiters[id] = .init(goal: goal, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    /// Waits where the script says so, then throws what the script says.
    func pass(_ operation: Operation) async throws(NoticeError) {
        if state.withLock({ $0.stalling.contains(operation) }) {
            await stand(in: operation)
            guard !Task.isCancelled else {
                throw NoticeError(.backendStopped, "The stalled call to \(operation.rawValue) was cancelled.")
            }
        }
        if let error = state.withLock({ $0.takeFailure(of: operation) }) { throw error }
    }

    private func stand(in operation: Operation) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    guard state.stalling.contains(operation), !Task.isCancelled else { return (true, []) }
                    state.stalledCalls[id] = .init(operation: operation, continuation: continuation)
                    return (false, state.takeSatisfiedWaiters())
                }
                if isOver { continuation.resume() }
                for waiter in waiters { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.stalledCalls.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
