import BelfryLoop
import Dispatch
import Glibc
import Synchronization

/// The threads on which an app's own tasks run inside a center: at most one per processor, and one for each run that
/// may block. They are asleep while there is nothing to do.
///
/// A resumed task passes through its task executor before it continues on its actor, even on the main actor. Once a
/// task has run on Swift's global pool, libdispatch wakes up once a second for good (src/event/workqueue.c).
package final class AppThreads: TaskExecutor {
    package static let shared = AppThreads()

    /// The executor for the current task and its children: the task's own, or else these threads.
    package static var preference: any TaskExecutor {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() } ?? shared
    }

    private struct State {
        var jobs = FIFOQueue<UnownedJob>()
        var busyCount = 0
        var threadCount = 0
        /// The runs of backends and location providers that may each block a thread.
        var runCount = 0
    }

    private let state = Mutex(State())
    /// Counts the waiting jobs.
    private let wakeUps = DispatchSemaphore(value: 0)
    /// Foundation's `activeProcessorCount` would read two files of the cgroup: 2 % of what `belfry send` takes.
    private let largestCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
        wakeUps.signal()
    }

    /// Performs a run on this thread, and allows one more thread meanwhile: it may block this one for as long as a
    /// center runs.
    func performRun(_ run: () async throws(NoticeError) -> Void) async throws(NoticeError) {
        change { $0.runCount += 1 }
        defer { change { $0.runCount -= 1 } }
        try await run()
    }

    /// Changes the state, and starts a thread if jobs are waiting and another one is allowed.
    private func change(_ body: (inout State) -> Void) {
        let isShort = state.withLock { state in
            body(&state)
            guard state.busyCount + state.jobs.count > state.threadCount,
                state.threadCount < largestCount + state.runCount
            else { return false }
            state.threadCount += 1
            return true
        }
        if isShort { startThread(named: "belfry-app") { [self] in work() } }
    }

    private func work() {
        while true {
            wakeUps.wait()
            let job = state.withLock { state in
                state.busyCount += 1
                return state.jobs.popFirst()
            }
            job?.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.busyCount -= 1 }
        }
    }
}
