/// A thread that does what is asked of it in order, and sleeps in one epoll until something is asked, a watched
/// descriptor is ready, or a timer is due.
///
/// Nothing that blocks or computes for long belongs on it. The thread ends with the last reference to its loop, once
/// what was asked of it is done.
package final class EventLoop: Sendable {
    private let agenda = Agenda()

    /// - Parameter name: For debuggers and `ps`; 15 bytes at most.
    package init(named name: String) { startThread(named: name) { [agenda] in agenda.work() } }

    deinit { agenda.end() }

    /// Runs `action` on the thread, after what waits there already.
    package func perform(_ action: @escaping @Sendable () -> Void) { agenda.add(action) }

    /// Runs `action` on the thread when `deadline` has come. What was set can't be taken back: it looks for itself
    /// whether it is still wanted.
    ///
    /// Time in which the machine is suspended does not count: whoever is waited for had no time either.
    package func wait(until deadline: SuspendingClock.Instant, _ action: @escaping @Sendable () -> Void) {
        agenda.add(action, at: deadline)
    }

    /// Calls `action` on the thread whenever `descriptor` is ready for one of these, until ``unwatch(_:)``. The
    /// descriptor stays the caller's.
    package func watch(
        _ descriptor: Int32,
        for readiness: Readiness,
        _ action: @escaping @Sendable (Readiness) -> Void
    ) throws(EventLoopError) -> UInt64 {
        try agenda.add(Agenda.Watch(descriptor: descriptor, action: action), readiness)
    }

    /// Watches for something else from now on.
    package func change(_ watch: UInt64, to readiness: Readiness) { agenda.change(watch, to: readiness) }

    /// Ends a watch. Called on the thread, no action of it follows, and the descriptor can be closed at once; called
    /// elsewhere, one may be under way until the thread has come to what is asked of it afterwards.
    package func unwatch(_ watch: UInt64) { agenda.remove(watch) }
}

/// The kernel refused a watch.
package struct EventLoopError: Error {
    /// An `errno` value.
    package let number: Int32
}
