/// The one run of an engine: whether it has begun, and whether it is about to end.
struct EngineRun {
    /// Nil where nothing can fire.
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
