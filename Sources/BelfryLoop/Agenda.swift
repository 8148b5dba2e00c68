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

    func add(_ action: @escaping @Sendable () -> Void) { change { $0.actions.append(action) } }

    func add(_ action: @escaping @Sendable () -> Void, at deadline: SuspendingClock.Instant) {
        change { $0.timers.add(action, at: deadline) }
    }

    func end() { change { $0.isEnded = true } }

    private func change(_ change: (inout State) -> Void) {
        let sleeping = state.withLock { state -> Poll? in
            change(&state)
            guard state.isAsleep else { return nil }
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

/// Timers, unsorted because there are few.
private struct Timers {
    private struct Timer {
        let deadline: SuspendingClock.Instant
        let action: @Sendable () -> Void
    }

    private var timers: [Timer] = []
    /// The nearest deadline.
    private(set) var nearest: SuspendingClock.Instant?

    mutating func add(_ action: @escaping @Sendable () -> Void, at deadline: SuspendingClock.Instant) {
        timers.append(Timer(deadline: deadline, action: action))
        nearest = nearest.map { min($0, deadline) } ?? deadline
    }

    /// Moves the due actions to `actions`, in the order of their deadlines.
    mutating func takeDue(into actions: inout [@Sendable () -> Void]) {
        let now = SuspendingClock.now
        guard let nearest, nearest <= now else { return }
        actions += timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }.map(\.action)
        timers.removeAll { $0.deadline <= now }
        self.nearest = timers.map(\.deadline).min()
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up so that timers never fire early; from 0 to about twelve days.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000)).components
        return Int32(seconds) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
