import Belfry
import Foundation
import Synchronization

/// Turns the first SIGTERM, SIGINT or SIGHUP into an orderly end; the second one ends the process at once.
enum EndSignals {
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]

    /// Calls `end` on the centers' thread when one of the signals comes. Once in a process.
    static func handle(_ end: @escaping @Sendable () -> Void) throws(NoticeError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            let cause = String(cString: strerror(errno))
            throw NoticeError(.systemFailure, "A pipe for signals can't be made.", cause: cause)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let reading = ends[0]
        signalPipe.store(ends[1], ordering: .releasing)
        _ = try CenterThread.shared.watch(reading) {
            var byte: UInt8 = 0
            if read(reading, &byte, 1) == 1 { end() }
        }
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in numbers {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = noteSignal
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(number, &action, nil)
            sigaddset(&wanted, number)
        }
        // Who starts the agent may have blocked signals, and a process inherits that: it must be possible to end it.
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }
}

/// Where the signal handler writes to; a handler has no context of its own.
private let signalPipe = Atomic<Int32>(-1)

/// Only what signal-safety(7) allows: one write, with errno left as it was.
private func noteSignal(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(signalPipe.load(ordering: .acquiring), &byte, 1)
    errno = saved
}
