import CLinuxClock
import FoundationEssentials
import Glibc
import Synchronization

/// The thread that all centers of a process work on, and on which they wait for their alarms.
///
/// It is an executor that runs jobs in the order in which they came, and sleeps in one epoll until a job, a watched
/// descriptor or a timer is there. So an alarm wakes up where the work is done, without a hand-over between threads;
/// and nothing of Belfry runs on the pool of Swift's tasks, from whose first task on libdispatch wakes up once a second
/// for good. Nothing that blocks belongs here: what the app hands in runs elsewhere.
package final class CenterThread: Sendable {
    package static let shared: CenterThread = {
        let shared = CenterThread()
        startThread(named: "belfry") { shared.work() }
        return shared
    }()

    /// Runs the jobs of actors that work on the thread.
    ///
    /// It is not the thread's own executor of tasks: to the runtime the two differ, as an actor's code and other code
    /// do. Where one was both, each return from a call that had waited took another turn on the thread.
    package final class ActorExecutor: SerialExecutor {
        package func enqueue(_ job: consuming ExecutorJob) {
            let job = Job(job: UnownedJob(job), isActors: true)
            CenterThread.shared.change { $0.jobs.append(job) }
        }

        package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    }

    package let actors = ActorExecutor()

    private struct Job {
        let job: UnownedJob
        let isActors: Bool
    }

    private struct State {
        var jobs: [Job] = []
        var actions: [@Sendable () -> Void] = []
        var timers: [Timer] = []
        var watches: [UInt64: Watch] = [:]
        var lastID: UInt64 = 0
        /// It waits, or is about to, and must be woken for what comes.
        var isAsleep = false
        var loop = Descriptors()
    }

    private struct Timer {
        let deadline: ContinuousClock.Instant
        let action: @Sendable () -> Void
    }

    private struct Watch {
        let descriptor: Int32
        let action: @Sendable () -> Void
    }

    /// What is run between two polls.
    private struct Ready {
        var jobs: [Job] = []
        var actions: [@Sendable () -> Void] = []
        var isEmpty: Bool { jobs.isEmpty && actions.isEmpty }
    }

    private let state = Mutex(State())

    /// Runs `action` on the thread, after what waits there already.
    package func perform(_ action: @escaping @Sendable () -> Void) { change { $0.actions.append(action) } }

    /// Returns when what waits there already has had its turn.
    package func letOthersWork() async {
        await withCheckedContinuation { continuation in perform { continuation.resume() } }
    }

    /// Runs `action` on the thread when `deadline` has come. What was set can't be taken back: it looks for itself
    /// whether it is still wanted.
    package func wait(until deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        change { $0.timers.append(Timer(deadline: deadline, action: action)) }
    }

    /// Calls `action` on the thread whenever `descriptor` is readable, until ``unwatch(_:)``. The descriptor stays the
    /// caller's. Throws ``NoticeError/Code/systemFailure``.
    package func watch(
        _ descriptor: Int32,
        _ action: @escaping @Sendable () -> Void
    ) throws(NoticeError) -> UInt64 {
        let (id, status) = state.withLock { state -> (UInt64, Int32) in
            state.lastID += 1
            let status = state.loop.open()
            guard status >= 0 else { return (0, status) }
            state.watches[state.lastID] = Watch(descriptor: descriptor, action: action)
            return (state.lastID, belfry_clock_loop_add(state.loop.epoll, descriptor, state.lastID))
        }
        guard status >= 0 else {
            state.withLock { _ = $0.watches.removeValue(forKey: id) }
            throw .kernel("Waiting for a descriptor", -status)
        }
        return id
    }

    /// Returns when no action of the watch runs or will run, so that the descriptor can be closed.
    package func unwatch(_ id: UInt64) async {
        state.withLock { state in
            guard let watch = state.watches.removeValue(forKey: id) else { return }
            _ = belfry_clock_loop_remove(state.loop.epoll, watch.descriptor)
        }
        // One that was under way is over when this thread comes to what was asked of it later.
        await letOthersWork()
    }

    private func change(_ change: (inout State) -> Void) {
        let wake = state.withLock { state -> Int32? in
            change(&state)
            guard state.isAsleep else { return nil }
            state.isAsleep = false
            return state.loop.signal
        }
        if let wake { _ = belfry_clock_signal_raise(wake) }
    }

    // MARK: On the thread

    private func work() {
        var ready = Ready()
        var names = [UInt64](repeating: 0, count: 16)
        var turnsSincePoll = 0
        while true {
            let timeout = prepare(&ready)
            // Whoever keeps it busy must not keep it from its timers.
            turnsSincePoll += 1
            if ready.isEmpty || turnsSincePoll >= 32 {
                turnsSincePoll = 0
                poll(&names, timeout: ready.isEmpty ? timeout : 0)
            }
            for action in ready.actions { action() }
            ready.actions.removeAll(keepingCapacity: true)
            for job in ready.jobs { run(job) }
            ready.jobs.removeAll(keepingCapacity: true)
        }
    }

    private func run(_ job: Job) {
        if job.isActors {
            job.job.runSynchronously(
                isolatedTo: actors.asUnownedSerialExecutor(),
                taskExecutor: asUnownedTaskExecutor()
            )
        } else {
            job.job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Takes over what is to be run, and returns how long to sleep where that is nothing: milliseconds, -1 for no
    /// timeout.
    private func prepare(_ ready: inout Ready) -> Int32 {
        state.withLock { state in
            swap(&ready.jobs, &state.jobs)
            swap(&ready.actions, &state.actions)
            var nearest: ContinuousClock.Instant?
            if !state.timers.isEmpty {
                let now = ContinuousClock.now
                let due = state.timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
                if !due.isEmpty { state.timers.removeAll { $0.deadline <= now } }
                ready.actions += due.map(\.action)
                nearest = state.timers.map(\.deadline).min()
            }
            guard ready.isEmpty else { return 0 }
            state.isAsleep = true
            guard state.loop.open() >= 0 else { return Descriptors.retry }
            guard let nearest else { return -1 }
            // Rounded up: a timer never goes off early.
            let left = (nearest - ContinuousClock.now).seconds * 1_000
            return Int32(min(max(left.rounded(.up), 0), 1e9))
        }
    }

    /// Waits for descriptors, and calls those who wait for them.
    private func poll(_ names: inout [UInt64], timeout: Int32) {
        let loop = state.withLock { $0.loop }
        if loop.isOpen {
            let count = belfry_clock_loop_wait(loop.epoll, &names, Int32(names.count), timeout)
            guard count > 0 else { return awake() }
            awake()
            for name in names[..<Int(count)] {
                if name == 0 { _ = belfry_clock_signal_clear(loop.signal) }
                state.withLock { $0.watches[name]?.action }?()
            }
        } else {
            // Without descriptors there is nothing to be woken by: what comes is found at the next poll.
            usleep(UInt32(timeout) * 1_000)
            awake()
        }
    }

    private func awake() { state.withLock { $0.isAsleep = false } }
}

extension CenterThread: TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = Job(job: UnownedJob(job), isActors: false)
        change { $0.jobs.append(job) }
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
}

/// What the thread waits with. It lives as long as the process.
private struct Descriptors {
    private(set) var epoll: Int32 = -1
    /// Raised for what comes from other threads; its name is 0.
    private(set) var signal: Int32 = -1

    /// How long the thread waits before it polls again where descriptors have run out; milliseconds.
    static let retry: Int32 = 10

    var isOpen: Bool { signal >= 0 }

    /// Opens both where that has not been done; a negated errno where there are no more descriptors.
    mutating func open() -> Int32 {
        guard !isOpen else { return 0 }
        if epoll < 0 { epoll = belfry_clock_loop_open() }
        guard epoll >= 0 else { return epoll }
        let signal = belfry_clock_signal_open()
        guard signal >= 0 else { return signal }
        let status = belfry_clock_loop_add(epoll, signal, 0)
        guard status >= 0 else {
            _ = close(signal)
            return status
        }
        self.signal = signal
        return 0
    }
}
