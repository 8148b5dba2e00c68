import Belfry
import BelfryAgent
import BelfryConsole
import BelfryLoop
import Glibc

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of the running command, so that it can clean up.
///
/// The process ends immediately if nothing that can be canceled is running, and at the second signal. It also ends if
/// the command does not end within ``grace``: it may be waiting for a server that hangs.
final class InterruptWatch: Sendable {
    private let interruption = Interruption()

    /// Installs the handlers. Call it once per process, before other threads wait.
    static func install() -> InterruptWatch {
        let watch = InterruptWatch()
        guard let signals = try? EndSignals() else { return watch }
        startThread(named: "belfry-signals") {
            guard signals.wait() else { return }
            if !watch.interruption.happen() { Self.endProcess() }
            // The second signal ends the process immediately; otherwise the timeout does.
            _ = signals.wait(within: Self.grace)
            Self.endProcess()
        }
        return watch
    }

    /// The time for a command to clean up. With the work before and after, the process ends within a second.
    private static let grace = Duration.milliseconds(800)

    /// Avoids exit(3): its handlers would run beside threads that still use the libraries that registered them.
    private static func endProcess() -> Never {
        ConsoleBackend.restoreTerminal()
        _exit(CommandStatus.interrupted.rawValue)
    }

    /// Runs `body` in a task that a signal cancels. Throws the error of `body`, or `CancellationError` if a signal has
    /// ended it.
    func running(_ body: sending @escaping @concurrent () async throws -> Void) async throws {
        let task = Task(executorPreference: AppThreads.preference) { try await body() }
        interruption.attach { task.cancel() }
        let result = await task.result
        if interruption.detach() { throw CancellationError() }
        try result.get()
    }
}
