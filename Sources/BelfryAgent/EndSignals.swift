package import Belfry
import BelfryLoop
import Glibc
import Synchronization

/// A source for SIGTERM, SIGINT and SIGHUP that a program can wait for, to end in order.
package struct EndSignals: Sendable {
    /// Stays open for the life of the process, because the handler may use it at any time.
    private let arrival: WakeSignal
    private let numbers: [Int32]

    /// Installs the handlers. Call it once per process, after `resetInheritedSignals()` and before other threads wait.
    /// Throws ``NoticeError/Code/systemFailure``.
    package init() throws(NoticeError) {
        guard let arrival = WakeSignal() else { throw .kernel("Waiting for signals", errno) }
        self.arrival = arrival
        raised.store(arrival.descriptor, ordering: .releasing)
        // nohup(1) ignores SIGHUP for a program that must outlive its terminal.
        numbers = [SIGTERM, SIGINT, SIGHUP].filter { $0 != SIGHUP || !Self.isIgnored($0) }
        ignoredInterrupts.store(Self.isIgnored(SIGINT), ordering: .releasing)
        // A handler, not SIG_IGN with a signal source: exec then restores the default action for child programs.
        for number in numbers { signal(number, noteSignal) }
    }

    /// Whether this program was started with SIGINT ignored, as by a shell without job control for `belfry … &`. The
    /// handlers, once installed, hide it.
    package static var hasIgnoredInterrupts: Bool { ignoredInterrupts.load(ordering: .acquiring) }

    /// Whether a signal is ignored at present.
    package static func isIgnored(_ number: Int32) -> Bool {
        var current = sigaction()
        guard sigaction(number, nil, &current) == 0 else { return false }
        return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == Int(bitPattern: 1)
    }

    /// Returns true when a signal has arrived; false if the timeout expires. Blocks the thread.
    package func wait(within limit: Duration? = nil) -> Bool {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = deadline.map { Int32(max(0, ((($0 - .now).seconds) * 1_000).rounded(.up))) }
            var state = pollfd(fd: arrival.descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&state, 1, left ?? -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && arrival.clear()
        }
    }

    /// Restores the default actions: from now on a signal ends the process immediately.
    package func release() { for number in numbers { signal(number, SIG_DFL) } }
}

/// The descriptor that the signal handler raises; a handler has no context of its own.
private let raised = Atomic<Int32>(-1)

/// Whether SIGINT was ignored before its handler was installed.
private let ignoredInterrupts = Atomic(false)

/// The handler. It does only what signal-safety(7) allows: one write, and it restores errno.
private func noteSignal(_ number: Int32) {
    let saved = errno
    WakeSignal(descriptor: raised.load(ordering: .acquiring)).raise()
    errno = saved
}
