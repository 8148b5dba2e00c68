import Belfry
import BelfryConsole
import Glibc

/// The terminal, opened separately for this backend, so that its nonblocking mode affects no other program.
final class TerminalDevice: Sendable {
    let descriptor: Int32
    private let writer: DescriptorWriter

    /// Opens the terminal. Throws ``NoticeError/Code/unsupported`` if there is none.
    init(_ path: String) throws(NoticeError) {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, isatty(descriptor) == 1 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw NoticeError(.unsupported, "There is no terminal: '\(path)' can't be opened.", cause: reason)
        }
        writer = DescriptorWriter(descriptor)
    }

    deinit { close(descriptor) }

    /// False in the background, where the terminal belongs to other programs.
    var isInFront: Bool { TerminalReader.isInFront(descriptor) }

    var hasInput: Bool { wait(for: POLLIN, milliseconds: 0) }

    /// Writes all bytes until the deadline, in one piece if the terminal accepts that, because other programs write
    /// there too. Blocks until then at most, and begins nothing afterwards.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> NoticeError? {
        // A terminal may stop background writers (`stty tostop`), except those that block the signal (POSIX, 11.1.4).
        var background = sigset_t()
        var mask = sigset_t()
        sigemptyset(&background)
        sigaddset(&background, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &background, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        switch writer.write(bytes, until: deadline) {
        case 0: return nil
        case ETIMEDOUT:
            return NoticeError(
                .serverBusy,
                "The terminal takes nothing; it may have been paused (Ctrl-S), and goes on with Ctrl-Q."
            )
        case let number:
            let reason = String(cString: strerror(number))
            return NoticeError(.systemFailure, "The terminal takes no notices any more.", cause: reason)
        }
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
