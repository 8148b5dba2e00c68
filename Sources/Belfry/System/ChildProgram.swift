import BelfryLoop
import Glibc
import Synchronization

/// A child process, until it ends or is killed. Whoever starts one must wait for its end, or it stays a zombie.
package final class ChildProgram: Sendable {
    package enum End: Sendable, Hashable {
        case exited(status: Int32)
        /// Ended by a signal, other than a kill at the limit.
        case crashed(signal: Int32)
        /// Took longer than the limit, and was killed.
        case late
        /// This process ignores SIGCHLD, or another part of it has waited for the program.
        case unknown
    }

    private let process: pid_t
    private let isReaped = Mutex(false)

    init(process: pid_t) { self.process = process }

    /// Returns how the program ended. Kills it at the limit.
    package func end(within limit: Duration) async -> End {
        let timeout = Timeout.begin(limit) { self.kill() }
        let end = await end()
        return timeout.end() ? end : .late
    }

    /// Returns how the program ended, without a limit.
    package func end() async -> End {
        await withCheckedContinuation { continuation in
            startThread(named: "belfry-program") { continuation.resume(returning: self.wait()) }
        }
    }

    package func kill(by signal: Int32 = SIGKILL) {
        isReaped.withLock { isReaped in if !isReaped { _ = Glibc.kill(process, signal) } }
    }

    /// Blocks until the program has ended.
    private func wait() -> End {
        var information = siginfo_t()
        // WNOWAIT keeps the process ID valid until the child is reaped, so that `kill` can't hit another process.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        return isReaped.withLock { isReaped in
            isReaped = true
            var status: Int32 = 0
            guard waitpid(process, &status, 0) == process else { return .unknown }
            // WTERMSIG and WEXITSTATUS, which are not available in Swift.
            let signal = status & 0x7F
            return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .crashed(signal: signal)
        }
    }
}
