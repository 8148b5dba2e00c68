import BelfryLoop
import Dispatch
import Glibc
import Synchronization

/// The threads on which an app's own tasks run inside a center: at most one per processor, asleep while there is
/// nothing to do.
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
    }

    private let state = Mutex(State())
    /// Counts the waiting jobs.
    private let wakeUps = DispatchSemaphore(value: 0)
    /// Foundation's `activeProcessorCount` would read two files of the cgroup: 2 % of what `belfry send` takes.
    private let largestCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isShort = state.withLock { state in
            state.jobs.append(job)
            guard state.busyCount + state.jobs.count > state.threadCount, state.threadCount < largestCount else {
                return false
            }
            state.threadCount += 1
            return true
        }
        wakeUps.signal()
        guard isShort else { return }
        startThread(named: "belfry-app") { [self] in work() }
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
