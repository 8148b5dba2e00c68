import Synchronization

/// The work of an ``EventLoop``, added from any thread, and the code of the thread that performs it.
final class Agenda: Sendable {
    struct Watch {
        let descriptor: Int32
        let action: @Sendable (Readiness) -> Void
    }

    private struct State {
        var actions: [@Sendable () -> Void] = []
        var timers = Timers()
        var watches: [UInt64: Watch] = [:]
        var lastID: UInt64 = 0
        /// The thread waits, or is about to, and must be woken for new work.
        var isAsleep = false
        /// The loop has been released, so no work can be added.
        var isEnded = false
        var poll = Poll()
    }

    private let state = Mutex(State())

    func add(_ action: @escaping @Sendable () -> Void) {
        change { state in
            state.actions.append(action)
            return true
        }
    }

    /// Adds a timer and returns its ID.
    func add(_ action: @escaping @Sendable () -> Void, at deadline: SuspendingClock.Instant) -> UInt64 {
        var id: UInt64 = 0
        change { state in
            state.lastID += 1
            id = state.lastID
            return state.timers.add(id, action, at: deadline)
        }
        return id
    }

    /// Removes a timer. Returns false if its action has run or is about to.
    func cancel(_ timer: UInt64) -> Bool {
        // Released outside the lock: an action may hold objects that call back into the agenda.
        let removed = state.withLock { $0.timers.remove(timer) }
        return removed != nil
    }

    /// Ends the thread when its work is done.
    func end() {
        state.withLock { state in
            state.isEnded = true
            // Under the lock, because the thread closes the descriptor that wakes it.
            if state.isAsleep { state.poll.wake() }
        }
    }

    /// - Parameter change: Returns whether a sleeping thread has to know of the change.
    private func change(_ change: (inout State) -> Bool) {
        let sleeping = state.withLock { state -> Poll? in
            guard change(&state), state.isAsleep else { return nil }
            state.isAsleep = false
            return state.poll
        }
        sleeping?.wake()
    }

    // MARK: Watches

    /// Adds a watch and returns its ID.
    func add(_ watch: Watch, _ readiness: Readiness) throws(EventLoopError) -> UInt64 {
        let (id, status) = state.withLock { state -> (UInt64, Int32) in
            state.lastID += 1
            let status = state.poll.add(watch.descriptor, state.lastID, readiness)
            if status >= 0 { state.watches[state.lastID] = watch }
            return (state.lastID, status)
        }
        guard status >= 0 else { throw EventLoopError(number: -status) }
        return id
    }

    func change(_ id: UInt64, to readiness: Readiness) {
        state.withLock { state in
            guard let watch = state.watches[id] else { return }
            state.poll.change(watch.descriptor, id, readiness)
        }
    }

    func remove(_ id: UInt64) {
        let watch = state.withLock { state in
            let watch = state.watches.removeValue(forKey: id)
            if let watch { state.poll.remove(watch.descriptor) }
            return watch
        }
        // Releasing the watch may release objects that call back into the agenda, so it must happen outside the lock.
        withExtendedLifetime(watch) {}
    }

    // MARK: On the thread

    func work() {
        var actions: [@Sendable () -> Void] = []
        var events = Poll.Events()
        var turnsSincePoll = 0
        while let timeout = takeActions(&actions) {
            // A steady stream of actions must not starve the descriptors.
            turnsSincePoll += 1
            if actions.isEmpty || turnsSincePoll >= 32 {
                turnsSincePoll = 0
                poll(&events, timeout: timeout)
            }
            for action in actions { action() }
            actions.removeAll(keepingCapacity: true)
        }
        state.withLock { $0.poll.close() }
    }

    /// Moves the due actions to `actions`. Returns the time to sleep in milliseconds: 0 if there are actions, -1 for no
    /// timeout. Returns nil when the loop has ended.
    private func takeActions(_ actions: inout [@Sendable () -> Void]) -> Int32? {
        state.withLock { state in
            swap(&actions, &state.actions)
            state.timers.takeDue(into: &actions)
            guard actions.isEmpty else { return 0 }
            guard !state.isEnded else { return nil }
            state.isAsleep = true
            guard state.poll.open() >= 0 else { return Poll.retry }
            guard let nearest = state.timers.nearest else { return -1 }
            return SuspendingClock.now.duration(to: nearest).milliseconds
        }
    }

    /// Waits for descriptors, and calls the actions of those that are ready.
    private func poll(_ events: inout Poll.Events, timeout: Int32) {
        state.withLock { $0.poll }.wait(for: &events, timeout: timeout)
        state.withLock { $0.isAsleep = false }
        for event in events.found { state.withLock { $0.watches[event.name]?.action }?(event.readiness) }
    }
}

/// Timers by ID, unsorted because there are few.
private struct Timers {
    struct Timer {
        let deadline: SuspendingClock.Instant
        let action: @Sendable () -> Void
    }

    private var timers: [UInt64: Timer] = [:]
    /// The nearest deadline, or an earlier one whose timer was removed: most are, long before they are due.
    private(set) var nearest: SuspendingClock.Instant?

    /// Returns true if no other timer is due before this one.
    mutating func add(_ id: UInt64, _ action: @escaping @Sendable () -> Void, at deadline: SuspendingClock.Instant)
        -> Bool
    {
        timers[id] = Timer(deadline: deadline, action: action)
        if let nearest, nearest <= deadline { return false }
        nearest = deadline
        return true
    }

    mutating func remove(_ id: UInt64) -> Timer? {
        defer { if timers.isEmpty { nearest = nil } }
        return timers.removeValue(forKey: id)
    }

    /// Moves the due actions to `actions`, in the order of their deadlines.
    mutating func takeDue(into actions: inout [@Sendable () -> Void]) {
        guard let nearest else { return }
        let now = SuspendingClock.now
        guard nearest <= now else { return }
        let due = timers.filter { $0.value.deadline <= now }
        for id in due.keys { timers[id] = nil }
        actions += due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.action)
        self.nearest = timers.values.map(\.deadline).min()
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up so that timers never fire early; from 0 to about twelve days.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000)).components
        return Int32(seconds) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
