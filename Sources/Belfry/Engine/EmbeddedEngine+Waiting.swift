/// A caller that waits until a condition of the engine holds.
struct EngineWaiter {
    let isMet: EmbeddedEngine.Condition
    let continuation: CheckedContinuation<Void, Never>
}

extension EmbeddedEngine {
    typealias Condition = @Sendable (isolated EmbeddedEngine) -> Bool

    /// Returns when the condition holds. It is looked at now, and whenever ``resumeWaiters()`` is called.
    func wait(until isMet: @escaping Condition) async {
        // Checked only inside: a task from another executor may have been suspended on the way to this point.
        await withCheckedContinuation { resumeOrKeep(EngineWaiter(isMet: isMet, continuation: $0)) }
    }

    /// Resumes the callers whose conditions hold, in the order in which they came. Whatever follows from what has ended
    /// must be queued before: it is work in progress.
    func resumeWaiters() {
        let all = waiters
        waiters = []
        for waiter in all { resumeOrKeep(waiter) }
    }

    private func resumeOrKeep(_ waiter: EngineWaiter) {
        if waiter.isMet(self) { waiter.continuation.resume() } else { waiters.append(waiter) }
    }
}
