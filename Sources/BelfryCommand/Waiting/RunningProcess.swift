import Belfry
import BelfryLoop
import CLinuxClock
import FoundationEssentials
import Glibc

/// A process that something else has started.
struct RunningProcess: Sendable {
    /// Its command line; in brackets, as ps(1) has it, the name of one that has none.
    let name: String
    private let descriptor: Int32
    private let begin: Duration

    /// Throws where there is no such process, or it can't be watched.
    init(_ number: Int32) throws(NoticeError) {
        guard number > 0 else { throw .unreadable("--pid: \(number) is no number of a process; it is 1 or more.") }
        descriptor = belfry_clock_process_open(number)
        guard descriptor >= 0 else {
            switch -descriptor {
            case ESRCH: throw NoticeError(.notFound, "There is no process \(number): it has ended, or never was.")
            case ENOSYS:
                throw NoticeError(.unsupported, "--pid needs Linux 5.3 or later: start the command by belfry done -- …")
            default: throw .kernel("Watching the process \(number)", -descriptor)
            }
        }
        let arguments = Self.text(number, "cmdline").split(separator: "\0").joined(separator: " ")
        name = arguments.isEmpty ? "[\(Self.text(number, "comm").trimmed)]" : arguments
        begin = Self.begin(of: number) ?? Self.now
    }

    /// Returns how long it has run. Once. Throws `CancellationError`, and ``NoticeError/Code/systemFailure``.
    func untilEnded() async throws -> Duration {
        defer { close(descriptor) }
        let cancelled = belfry_clock_signal_open()
        guard cancelled >= 0 else { throw NoticeError.kernel("Waiting for the process", -cancelled) }
        defer { close(cancelled) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                startThread(named: "belfry-process") { [descriptor] in
                    var watched = [descriptor, cancelled].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                    while poll(&watched, 2, -1) < 0, errno == EINTR {}
                    continuation.resume()
                }
            }
        } onCancel: {
            _ = belfry_clock_signal_raise(cancelled)
        }
        try Task.checkCancellation()
        return Self.now - begin
    }

    private static func text(_ number: Int32, _ file: String) -> String {
        (try? String(contentsOfFile: "/proc/\(number)/\(file)", encoding: .utf8)) ?? ""
    }

    /// Since the machine's start, by the clock that goes on while it sleeps.
    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// proc_pid_stat(5): the 22nd field, in ticks since the machine's start. The second, the name, may hold anything.
    private static func begin(of number: Int32) -> Duration? {
        let text = text(number, "stat")
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 19, let ticks = Int(fields[19]) else { return nil }
        return .seconds(1) * ticks / sysconf(Int32(_SC_CLK_TCK))
    }
}
