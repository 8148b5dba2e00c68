/// Who waits until nothing is under way in an engine.
struct QuietWaiters {
    private struct Waiter {
        /// The app's handler of responses is not waited for.
        let exceptHandler: Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [Waiter] = []
    /// Called whenever nothing is under way any more.
    var listener: (@Sendable () -> Void)?

    var isEmpty: Bool { waiters.isEmpty }

    mutating func wait(exceptHandler: Bool, _ continuation: CheckedContinuation<Void, Never>) {
        waiters.append(Waiter(exceptHandler: exceptHandler, continuation: continuation))
    }

    /// Nothing but the handler is under way, and that may be.
    mutating func resume(isHandlerAtWork: Bool) {
        let all = waiters
        waiters = all.filter { !$0.exceptHandler && isHandlerAtWork }
        for waiter in all where waiter.exceptHandler || !isHandlerAtWork { waiter.continuation.resume() }
    }
}
