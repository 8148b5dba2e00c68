import Belfry
import CLinux
import FoundationEssentials
import Glibc

/// A process that was started by another program.
struct RunningProcess: Sendable {
    /// Its command line. Without one, its name in brackets, as in ps(1).
    let name: String
    private let descriptor: Int32
    private let begin: Duration

    /// Throws if there is no such process, or if it can't be watched.
    init(_ number: Int32) throws(NoticeError) {
        guard number > 0 else { throw .unreadable("--pid: \(number) is no number of a process; it is 1 or more.") }
        descriptor = belfry_pidfd_open(number)
        guard descriptor >= 0 else {
            switch errno {
            case ESRCH: throw NoticeError(.notFound, "There is no process \(number): it has ended, or never was.")
            case ENOSYS:
                throw NoticeError(.unsupported, "--pid needs Linux 5.3 or later: start it by 'belfry done -- …'.")
            default: throw .kernel("Watching the process \(number)", errno)
            }
        }
        let arguments = Self.text(number, "cmdline").split(separator: "\0").joined(separator: " ")
        name = arguments.isEmpty ? "[\(Self.text(number, "comm").trimmed)]" : arguments
        begin = Self.begin(of: number) ?? Self.now
    }

    /// Waits for the end and returns the run time. Call it once. Throws `CancellationError`, and
    /// ``NoticeError/Code/systemFailure``.
    func untilEnded() async throws -> Duration {
        defer { close(descriptor) }
        let ended = AwaitedValue<Void>()
        let watch = try CenterThread.shared.watch(descriptor) { ended.give(()) }
        await ended.value(late: (), cancelled: ())
        await CenterThread.shared.unwatch(watch)
        try Task.checkCancellation()
        return Self.now - begin
    }

    private static func text(_ number: Int32, _ file: String) -> String {
        (try? String(contentsOfFile: "/proc/\(number)/\(file)", encoding: .utf8)) ?? ""
    }

    /// The time since the machine's start, including suspend.
    private static var now: Duration { .microseconds(SystemTriggerClock().now().boot) }

    /// Returns the start time: the 22nd field of proc_pid_stat(5), in ticks since the machine's start. The second
    /// field, the name, may contain any character.
    private static func begin(of number: Int32) -> Duration? {
        let text = text(number, "stat")
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 19, let ticks = Int(fields[19]) else { return nil }
        return .seconds(1) * ticks / sysconf(Int32(_SC_CLK_TCK))
    }
}
