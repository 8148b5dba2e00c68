package import Belfry
import CLinuxClock
import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP as something to wait for, so that a program can end in order.
package struct EndSignals: Sendable {
    /// For the life of the process: the handler may use it at any time.
    private let descriptor: Int32
    private let numbers: [Int32]

    /// Once in a process, before other threads wait for anything. Throws ``NoticeError/Code/systemFailure``.
    package init() throws(NoticeError) {
        descriptor = belfry_clock_signal_open()
        guard descriptor >= 0 else { throw .kernel("Waiting for signals", -descriptor) }
        raised.store(descriptor, ordering: .releasing)
        numbers = [SIGTERM, SIGINT, SIGHUP].filter { !Self.isLeftAlone($0) }
        var wanted = sigset_t()
        sigemptyset(&wanted)
        // A handler, and not SIG_IGN with a signal source: programs that this one starts get the default back at exec.
        for number in numbers {
            signal(number, noteSignal)
            sigaddset(&wanted, number)
        }
        // A program that was started from a thread that blocks signals (Dispatch's do) has inherited that.
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    /// nohup(1) has it ignored, for a program that is to outlive its terminal.
    private static func isLeftAlone(_ number: Int32) -> Bool {
        var current = sigaction()
        guard number == SIGHUP, sigaction(number, nil, &current) == 0 else { return false }
        return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == Int(bitPattern: 1)
    }

    /// Returns when a signal has come; false where none came in time. Blocks its thread.
    package func wait(within limit: Duration? = nil) -> Bool {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = deadline.map { Int32(max(0, ((($0 - .now).seconds) * 1_000).rounded(.up))) }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&state, 1, left ?? -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && belfry_clock_signal_clear(descriptor) == 1
        }
    }

    /// From here on a signal ends the process at once.
    package func release() { for number in numbers { signal(number, SIG_DFL) } }
}

/// What the signal handler raises; a handler has no context of its own.
private let raised = Atomic<Int32>(-1)

/// Only what signal-safety(7) allows: one write, with errno left as it was.
private func noteSignal(_ number: Int32) {
    let saved = errno
    _ = belfry_clock_signal_raise(raised.load(ordering: .acquiring))
    errno = saved
}
