import BelfryLoop
import Glibc
import Synchronization

/// A program that this one has started, until it ends or is killed.
package final class ChildProgram: Sendable {
    package enum End: Sendable, Hashable {
        case exited(status: Int32)
        /// By a signal that did not come from here.
        case crashed(signal: Int32)
        /// It took longer than the limit, and was killed.
        case late
    }

    private let process: pid_t
    private let isReaped = Mutex(false)

    /// See ``startProgram(_:adding:output:errors:inOwnSession:)``.
    package init(_ arguments: [String], output: Int32? = nil, errors: Int32? = nil) throws(NoticeError) {
        process = try startProgram(arguments, output: output, errors: errors)
    }

    /// See ``startForegroundProgram(_:)``.
    package init(inForeground arguments: [String]) throws(NoticeError) {
        process = try startForegroundProgram(arguments)
    }

    /// How it has ended. It is killed when the limit is over.
    package func end(within limit: Duration) async -> End {
        let timeout = Timeout.begin(limit) { self.kill() }
        let end = await end()
        return timeout.end() ? end : .late
    }

    /// How it has ended, however long that takes.
    package func end() async -> End {
        await withCheckedContinuation { continuation in
            startThread(named: "belfry-program") { continuation.resume(returning: self.wait()) }
        }
    }

    package func kill(by signal: Int32 = SIGKILL) {
        isReaped.withLock { isReaped in if !isReaped { _ = Glibc.kill(process, signal) } }
    }

    /// Blocks until it has ended.
    private func wait() -> End {
        var information = siginfo_t()
        // Without taking its number away from it: until that is done it can be killed by it.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        return isReaped.withLock { isReaped in
            isReaped = true
            var status: Int32 = 0
            waitpid(process, &status, 0)
            // WTERMSIG and WEXITSTATUS, which Swift does not see.
            let signal = status & 0x7F
            return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .crashed(signal: signal)
        }
    }
}
