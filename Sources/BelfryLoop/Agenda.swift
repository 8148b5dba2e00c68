import Synchronization

/// What an ``EventLoop`` has to do, as other threads ask for it, and the thread that does it.
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
        /// The thread waits, or is about to, and must be woken for what comes.
        var isAsleep = false
        /// Nobody can ask for anything any more.
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

    /// The identifier of the watch.
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
        // What its action holds may be let go with it, and ask for something: not under the lock.
        withExtendedLifetime(watch) {}
    }

    // MARK: On the thread

    func work() {
        var actions: [@Sendable () -> Void] = []
        var events = Poll.Events()
        var turnsSincePoll = 0
        while let timeout = takeActions(&actions) {
            // Whoever keeps it busy must not keep it from its descriptors.
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

    /// Hands over what is to be run, and returns how long to sleep where that is nothing: milliseconds, -1 for no
    /// timeout. Nil when all is done.
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

    /// Waits for descriptors, and calls those who wait for them.
    private func poll(_ events: inout Poll.Events, timeout: Int32) {
        state.withLock { $0.poll }.wait(for: &events, timeout: timeout)
        state.withLock { $0.isAsleep = false }
        for event in events.found { state.withLock { $0.watches[event.name]?.action }?(event.readiness) }
    }
}

/// What is to be done at a time. In no order: there are few.
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

    /// Takes out what is due, in the order of the deadlines.
    mutating func takeDue(into actions: inout [@Sendable () -> Void]) {
        let now = SuspendingClock.now
        guard let nearest, nearest <= now else { return }
        actions += timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }.map(\.action)
        timers.removeAll { $0.deadline <= now }
        self.nearest = timers.map(\.deadline).min()
    }
}

extension Duration {
    /// Rounded up, so that a timer never goes off early; 0 at least and twelve days at most.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000)).components
        return Int32(seconds) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
