import Foundation
import Synchronization

/// Turns SIGINT and SIGTERM into the cancellation of what is running, so that a command can clean up.
///
/// Where nothing that can be cancelled is running, and at the second signal, the process ends at once.
final class InterruptWatch: Sendable {
    private struct Work: Sendable {
        var cancel: (@Sendable () -> Void)?
        var wasInterrupted = false
    }

    private let work = Mutex(Work())

    /// Once in a process, before other threads wait for anything.
    static func install() -> InterruptWatch {
        let watch = InterruptWatch()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return watch }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        signalPipe.store(ends[1], ordering: .releasing)
        let reading = ends[0]
        // A handler, and not SIG_IGN with a signal source: programs that a command starts get the default back at exec.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM] {
            signal(number, noteSignal)
            sigaddset(&wanted, number)
        }
        // A program that was started from a thread that blocks signals (Dispatch's do) has inherited that.
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(reading, &byte, 1)
                if count == 1 { watch.interrupt() } else if count == 0 || errno != EINTR { return }
            }
        }
        return watch
    }

    /// Runs `body` in a task that a signal cancels. Throws what it throws; `CancellationError` where a signal came and
    /// the body ended by itself because of it.
    func running(_ body: sending @escaping () async throws -> Void) async throws {
        let task = Task { try await body() }
        let isLate = work.withLock { work in
            work.cancel = { task.cancel() }
            return work.wasInterrupted
        }
        if isLate { task.cancel() }
        let result = await task.result
        let wasInterrupted = work.withLock { work in
            work.cancel = nil
            return work.wasInterrupted
        }
        if wasInterrupted { throw CancellationError() }
        try result.get()
    }

    private func interrupt() {
        let cancel = work.withLock { work -> (@Sendable () -> Void)? in
            defer { work.wasInterrupted = true }
            return work.wasInterrupted ? nil : work.cancel
        }
        guard let cancel else { _exit(CommandStatus.interrupted.rawValue) }
        cancel()
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
