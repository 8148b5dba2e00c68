import Belfry
import BelfryConsole
import Glibc
import Synchronization

/// The terminal, opened separately for this backend, so that its nonblocking mode affects no other program.
final class TerminalDevice: Sendable {
    let descriptor: Int32
    /// The rest of a command that the terminal has accepted only in part. Locked while writing.
    private let unfinished = Mutex<[UInt8]>([])

    /// Opens the terminal. Throws ``NoticeError/Code/unsupported`` if there is none.
    init(_ path: String) throws(NoticeError) {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, isatty(descriptor) == 1 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw NoticeError(.unsupported, "There is no terminal: '\(path)' can't be opened.", cause: reason)
        }
    }

    deinit { close(descriptor) }

    var isInFront: Bool { TerminalReader.isInFront(descriptor) }

    var hasInput: Bool { wait(for: POLLIN, milliseconds: 0) }

    /// Writes all bytes within the timeout, in one piece if the terminal accepts that, because other programs write
    /// there too. Blocks for at most the timeout.
    func write(_ bytes: [UInt8], within limit: Duration) -> NoticeError? {
        // A terminal may stop background writers (`stty tostop`), except those that block the signal (POSIX, 11.1.4).
        var background = sigset_t()
        var mask = sigset_t()
        sigemptyset(&background)
        sigaddset(&background, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &background, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        return unfinished.withLock { write(bytes, after: &$0, until: .now + limit) }
    }

    private func write(
        _ bytes: [UInt8],
        after rest: inout [UInt8],
        until deadline: ContinuousClock.Instant
    ) -> NoticeError? {
        let all = rest + bytes
        var written = 0
        while written < all.count {
            let count = all[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if count < 0, errno != EAGAIN, errno != EINTR {
                rest = []
                let reason = String(cString: strerror(errno))
                return NoticeError(.systemFailure, "The terminal takes no notices any more.", cause: reason)
            } else if errno == EAGAIN, !wait(for: POLLOUT, milliseconds: deadline.millisecondsLeft) {
                // The rest of a command is written first next time. The caller keeps commands that were not begun.
                rest = Array(all[written..<(written > rest.count ? all.count : rest.count)])
                return NoticeError(
                    .serverBusy,
                    "The terminal takes nothing; it may have been paused (Ctrl-S), and goes on with Ctrl-Q."
                )
            }
        }
        rest = []
        return nil
    }

    /// Waits for input and reads it. Returns nil after the deadline, or if the terminal is gone.
    func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while wait(for: POLLIN, milliseconds: deadline.millisecondsLeft) {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count < 0, errno != EAGAIN, errno != EINTR { return nil }
            // The read returned nothing. A terminal that is gone also signals a hang-up.
            if wait(for: 0, milliseconds: 0) { return nil }
        }
        return nil
    }

    private func wait(for events: Int32, milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let count = poll(&state, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}

extension ContinuousClock.Instant {
    fileprivate var millisecondsLeft: Int32 {
        Int32(max(0, min(((self - .now).seconds * 1000).rounded(.up), 1e9)))
    }
}
