package import BelfryLoop

/// The thread that all centers of a process work on, and on which they wait for their alarms and the buses of their
/// backends.
///
/// It is an executor over an event loop. So an alarm or a message wakes up where the work is done, without a hand-over
/// between threads; and nothing of Belfry runs on the pool of Swift's tasks, from whose first task on libdispatch wakes
/// up once a second for good. Nothing that blocks belongs here: what the app hands in runs elsewhere.
package final class CenterThread: Sendable {
    package static let shared = CenterThread()

    package let loop = EventLoop(named: "belfry")
    package let actors = ActorExecutor()

    /// Runs `action` on the thread, after what waits there already.
    package func perform(_ action: @escaping @Sendable () -> Void) { loop.perform(action) }

    /// Returns when what waits there already has had its turn.
    package func letOthersWork() async {
        await withCheckedContinuation { continuation in perform { continuation.resume() } }
    }

    /// Runs `action` on the thread when `deadline` has come. What was set can't be taken back: it looks for itself
    /// whether it is still wanted. Time in which the machine is suspended does not count.
    package func wait(until deadline: SuspendingClock.Instant, _ action: @escaping @Sendable () -> Void) {
        loop.wait(until: deadline, action)
    }

    /// Calls `action` on the thread whenever `descriptor` is readable, until ``unwatch(_:)``. The descriptor stays the
    /// caller's. Throws ``NoticeError/Code/systemFailure``.
    package func watch(
        _ descriptor: Int32,
        _ action: @escaping @Sendable () -> Void
    ) throws(NoticeError) -> UInt64 {
        do throws(EventLoopError) {
            return try loop.watch(descriptor, for: .reading) { _ in action() }
        } catch { throw .kernel("Waiting for a descriptor", error.number) }
    }

    /// Returns when no action of the watch runs or will run, so that the descriptor can be closed.
    package func unwatch(_ watch: UInt64) async {
        loop.unwatch(watch)
        await letOthersWork()
    }

    /// Runs the jobs of actors that work on the thread.
    ///
    /// It is not the thread's own executor of tasks: to the runtime the two differ, as an actor's code and other code
    /// do. Where one was both, each return from a call that had waited took another turn on the thread.
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
