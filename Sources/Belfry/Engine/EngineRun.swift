/// The one run of an engine: whether it has begun, and whether it is about to end.
struct EngineRun {
    /// Nil where nothing can fire.
    /// The change to the newest zone; under way while rules are compiled for it.
    var zoneChange: Task<Void, Never>?
    private(set) var alarm: (any WakeAlarm)?
    private(set) var hasBegun = false
    /// It finishes what is under way.
    private(set) var isEnding = false
    private var wasCalled = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// False where there was a run already.
    mutating func call() -> Bool {
        defer { wasCalled = true }
        return !wasCalled
    }

    mutating func set(_ alarm: (any WakeAlarm)?) { self.alarm = alarm }

    mutating func begin() {
        hasBegun = true
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume() }
    }

    mutating func waitForBeginning(_ waiter: CheckedContinuation<Void, Never>) {
        if hasBegun { waiter.resume() } else { waiters.append(waiter) }
    }

    mutating func end() { isEnding = true }
}

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
