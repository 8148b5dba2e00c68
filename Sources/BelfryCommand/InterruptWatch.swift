import Belfry
import BelfryConsole
import Foundation
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of what is running, so that a command can clean up.
///
/// The process ends at once where nothing that can be cancelled is running, at the second signal, and when the command has
/// not ended within ``grace``: it may wait for a server that hangs.
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
        for number in [SIGINT, SIGTERM, SIGHUP] where !isLeftAlone(number) {
            signal(number, noteSignal)
            sigaddset(&wanted, number)
        }
        // A program that was started from a thread that blocks signals (Dispatch's do) has inherited that.
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        Thread.detachNewThread {
            guard Self.waitsForSignal(reading) else { return }
            watch.interrupt()
            // The second signal ends it at once, its absence when the time is over.
            _ = Self.waitsForSignal(reading, within: Self.grace)
            Self.endProcess()
        }
        return watch
    }

    /// How long a command may take to clean up; with what comes before and after it is over within a second.
    private static let grace = Duration.milliseconds(800)

    /// nohup(1) has it ignored, for a command that is to outlive its terminal.
    private static func isLeftAlone(_ number: Int32) -> Bool {
        var current = sigaction()
        guard number == SIGHUP, sigaction(number, nil, &current) == 0 else { return false }
        return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == Int(bitPattern: 1)
    }

    /// False where none came in time.
    private static func waitsForSignal(_ descriptor: Int32, within limit: Duration? = nil) -> Bool {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = deadline.map { Int32(max(0, ((($0 - .now).seconds) * 1_000).rounded(.up))) }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&state, 1, left ?? -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            var byte: UInt8 = 0
            return read(descriptor, &byte, 1) == 1
        }
    }

    /// Not by exit(3), which runs what libraries have registered beside threads that still use them.
    private static func endProcess() -> Never {
        ConsoleBackend.restoreTerminal()
        _exit(CommandStatus.interrupted.rawValue)
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
        guard let cancel else { Self.endProcess() }
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
