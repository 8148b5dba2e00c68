package import BelfryLoop

/// The thread on which all centers of a process work, and wait for their alarms and their backends' buses.
///
/// It is an executor over an event loop, so alarms and messages need no switch between threads. It also keeps Belfry
/// off Swift's global pool: once a task has run there, libdispatch wakes up once a second for good. Nothing may block
/// this thread; code of the app runs elsewhere.
package final class CenterThread: Sendable {
    package static let shared = CenterThread()

    package let loop = EventLoop(named: "belfry")
    package let actors = ActorExecutor()

    /// Runs `action` on the thread, after the actions that are waiting already.
    package func perform(_ action: @escaping @Sendable () -> Void) { loop.perform(action) }

    /// Returns when all actions that are waiting already have run.
    package func letOthersWork() async {
        await withCheckedContinuation { continuation in perform { continuation.resume() } }
    }

    /// The number of requests that are processed before other work gets its turn.
    static let turnLimit = 1_024

    /// Lets others work if the turn ends with step `number`, counted from 0.
    func letOthersWork(after number: Int) async {
        if (number + 1).isMultiple(of: Self.turnLimit) { await letOthersWork() }
    }

    /// Runs `action` on the thread when `deadline` has passed. Time during suspend does not count. ``Timeout`` can be
    /// ended before.
    package func wait(until deadline: SuspendingClock.Instant, _ action: @escaping @Sendable () -> Void) {
        loop.wait(until: deadline, action)
    }

    /// Calls `action` on the thread whenever `descriptor` is readable, until ``unwatch(_:)``. The caller keeps
    /// ownership of the descriptor. Throws ``NoticeError/Code/systemFailure``.
    package func watch(
        _ descriptor: Int32,
        _ action: @escaping @Sendable () -> Void
    ) throws(NoticeError) -> UInt64 {
        do throws(EventLoopError) {
            return try loop.watch(descriptor, for: .reading) { _ in action() }
        } catch { throw .kernel("Waiting for a descriptor", error.number) }
    }

    /// Ends a watch. Returns when its action no longer runs and won't run again, so that the descriptor can be closed.
    package func unwatch(_ watch: UInt64) async {
        loop.unwatch(watch)
        await letOthersWork()
    }

    /// Runs the jobs of actors on the thread.
    ///
    /// It is separate from the thread's task executor, because the runtime treats serial and task executors
    /// differently. With one object as both, each return from an awaited call took another turn on the thread.
    package final class ActorExecutor: SerialExecutor {
        package func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let thread = CenterThread.shared
            thread.perform {
                job.runSynchronously(
                    isolatedTo: thread.actors.asUnownedSerialExecutor(),
                    taskExecutor: thread.asUnownedTaskExecutor()
                )
            }
        }

        package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    }
}

extension CenterThread: TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
}
