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
        // Unlike a pipe's, its ends are closed on exec from the first moment on, also in a child that another thread
        // starts.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        defer { close(ends[1]) }
        guard let process = try? startProgram([program] + arguments, output: ends[1]) else {
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
}
