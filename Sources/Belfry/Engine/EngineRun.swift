/// The single run of an engine: whether it has begun, and whether it is about to end.
struct EngineRun {
    /// The change to the newest zone, in progress while rules are compiled for it.
    var zoneChange: Task<Void, Never>?
    /// The number of changes of the zone in progress.
    var zoneChangeCount = 0
    /// Nil while nothing can fire.
    var alarm: (any WakeAlarm)?
    private(set) var hasBegun = false
    /// True while the run finishes its work in progress.
    var isEnding = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func begin() {
        hasBegun = true
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume() }
    }

    mutating func waitForBeginning(_ waiter: CheckedContinuation<Void, Never>) {
        if hasBegun { waiter.resume() } else { waiters.append(waiter) }
    }
}

/// The callers that wait until no work is in progress in an engine.
struct QuietWaiters {
    private struct Waiter {
        /// True if the caller doesn't wait for the app's response handler.
        let exceptHandler: Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [Waiter] = []
    /// Called whenever no work is in progress any more.
    var listener: (@Sendable () -> Void)?

    var isEmpty: Bool { waiters.isEmpty }

    mutating func wait(exceptHandler: Bool, _ continuation: CheckedContinuation<Void, Never>) {
        waiters.append(Waiter(exceptHandler: exceptHandler, continuation: continuation))
    }

    /// Resumes waiters when no work is in progress, except perhaps in the handler.
    mutating func resume(isHandlerAtWork: Bool) {
        let all = waiters
        waiters = all.filter { !$0.exceptHandler && isHandlerAtWork }
        for waiter in all where waiter.exceptHandler || !isHandlerAtWork { waiter.continuation.resume() }
    }
}
