import Belfry
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// What a small program prints.
enum ChildOutput {
    private static let deadlines = DispatchQueue(label: "org.belfry.dbus.programs")

    /// The first line, where the program ended well within the limit; else it is ended, and the answer is nil.
    static func firstLine(of program: String, _ arguments: [String], within limit: Duration) async -> String? {
        guard let child = ChildProcess(program, arguments) else { return nil }
        deadlines.asyncAfter(deadline: .now() + limit.seconds) { child.kill() }
        let isGood = await withCheckedContinuation { continuation in
            startThread(named: "belfry-program") { continuation.resume(returning: child.wait()) }
        }
        return isGood ? child.firstLine() : nil
    }
}

/// A program with nothing to read, whose output goes into a socket.
private final class ChildProcess: Sendable {
    private let process: pid_t
    /// The end to read.
    private let output: Int32
    private let isReaped = Mutex(false)

    /// Nil where it can't be started.
    init?(_ program: String, _ arguments: [String]) {
        var ends: [Int32] = [-1, -1]
        // Unlike a pipe's, its ends are closed on exec from the first moment on, also in a child that another thread starts.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        defer { close(ends[1]) }
        guard let process = Self.spawn([program] + arguments, output: ends[1]) else {
            close(ends[0])
            return nil
        }
        self.process = process
        output = ends[0]
    }

    deinit { close(output) }

    /// Blocks until it has ended; true where it did so by itself, with status 0.
    func wait() -> Bool {
        var information = siginfo_t()
        // Without taking its number away from it: until that is done it can be killed by it.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        return isReaped.withLock { isReaped in
            isReaped = true
            var status: Int32 = -1
            return waitpid(process, &status, 0) == process && status == 0
        }
    }

    func kill() { isReaped.withLock { isReaped in if !isReaped { _ = Glibc.kill(process, SIGKILL) } } }

    /// Of what is there: a child of the child may hold the other end open, and its end is not waited for.
    func firstLine() -> String? {
        guard fcntl(output, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }

    private static func spawn(_ arguments: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of Swift's pool block signals, and a child inherits that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let argv = arguments.map { strdup($0) } + [nil]
        let environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + environment { free(text) } }
        var process: pid_t = 0
        return posix_spawn(&process, arguments[0], &actions, &attributes, argv, environment) == 0 ? process : nil
    }
}
