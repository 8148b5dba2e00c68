import Belfry
import BelfryAgent
import BelfryConsole
import BelfryLoop
import Glibc

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of the running command, so that it can clean up.
///
/// The process ends at the second signal, and immediately if the command can't be canceled. It also ends if the command
/// does not end within ``grace``: it may be waiting for a server that hangs.
struct InterruptWatch: Sendable {
    /// The time for a command to clean up. With the work before and after, the process ends within a second.
    private static let grace = Duration.milliseconds(800)

    private let signals: EndSignals?

    /// Installs the handlers. Call it once per process, before other threads wait.
    init() { signals = try? EndSignals() }

    /// Runs `body` in a task that a signal cancels. Throws the error of `body`, or `CancellationError` if a signal has
    /// ended it.
    func running(_ body: sending @escaping @concurrent () async throws -> Void) async throws {
        let task = Task(executorPreference: AppThreads.preference) { try await body() }
        begin(canceling: task)
        let result = await task.result
        if task.isCancelled { throw CancellationError() }
        try result.get()
    }

    /// Waits for signals from now on. Without a task, the first one ends the process.
    func begin(canceling task: Task<Void, any Error>? = nil) {
        guard let signals else { return }
        startThread(named: "belfry-signals") {
            guard signals.wait() else { return }
            if let task {
                task.cancel()
                // The second signal ends the process immediately; otherwise the timeout does.
                _ = signals.wait(within: Self.grace)
            }
            // Avoids exit(3): its handlers would run beside threads that still use the libraries that registered them.
            ConsoleBackend.restoreTerminal()
            _exit(CommandStatus.interrupted.rawValue)
        }
    }
}
