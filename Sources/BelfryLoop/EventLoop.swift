/// A thread that runs its work in order. In between it sleeps in one epoll until there is work, a watched descriptor is
/// ready, or a timer is due.
///
/// Work that blocks or computes for long does not belong on it. The thread ends after the last reference to its loop is
/// released and its work is done.
package final class EventLoop: Sendable {
    private let agenda = Agenda()

    /// - Parameter name: For debuggers and `ps`; 15 bytes at most.
    package init(named name: String) { startThread(named: name) { [agenda] in agenda.work() } }

    deinit { agenda.end() }

    /// Runs `action` on the thread, after the actions that are waiting already.
    package func perform(_ action: @escaping @Sendable () -> Void) { agenda.add(action) }

    /// Runs `action` on the thread when `deadline` has passed. Returns the timer, for ``cancel(_:)``.
    ///
    /// Time during suspend does not count, because the other side had no time either.
    @discardableResult
    package func wait(until deadline: SuspendingClock.Instant, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        agenda.add(action, at: deadline)
    }

    /// Cancels a timer, from any thread. Returns false if its action has run or is about to.
    @discardableResult package func cancel(_ timer: UInt64) -> Bool { agenda.cancel(timer) }

    /// Calls `action` on the thread whenever `descriptor` has one of these states, until ``unwatch(_:)``. The caller
    /// keeps ownership of the descriptor.
    package func watch(
        _ descriptor: Int32,
        for readiness: Readiness,
        _ action: @escaping @Sendable (Readiness) -> Void
    ) throws(EventLoopError) -> UInt64 {
        try agenda.add(Agenda.Watch(descriptor: descriptor, action: action), readiness)
    }

    /// Changes the states that a watch waits for.
    package func change(_ watch: UInt64, to readiness: Readiness) { agenda.change(watch, to: readiness) }

    /// Ends a watch. When called on the thread, no action follows and the descriptor can be closed at once. When called
    /// elsewhere, an action may still run until the thread has reached work added afterwards.
    package func unwatch(_ watch: UInt64) { agenda.remove(watch) }
}

/// The error of a watch that the kernel refused.
package struct EventLoopError: Error {
    /// The `errno` value.
    package let number: Int32
}
