import Belfry
import BelfryAgent
import BelfryConsole
import BelfryLoop
import Glibc

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of what is running, so that a command can clean up.
///
/// The process ends at once where nothing that can be cancelled is running, at the second signal, and when the command
/// has not ended within ``grace``: it may wait for a server that hangs.
final class InterruptWatch: Sendable {
    private let interruption = Interruption()

    /// Once in a process, before other threads wait for anything.
    static func install() -> InterruptWatch {
        let watch = InterruptWatch()
        guard let signals = try? EndSignals() else { return watch }
        startThread(named: "belfry-signals") {
            guard signals.wait() else { return }
            if !watch.interruption.happen() { Self.endProcess() }
            // The second signal ends it at once, its absence when the time is over.
            _ = signals.wait(within: Self.grace)
            Self.endProcess()
        }
        return watch
    }

    /// How long a command may take to clean up; with what comes before and after it is over within a second.
    private static let grace = Duration.milliseconds(800)

    /// Not by exit(3), which runs what libraries have registered beside threads that still use them.
    private static func endProcess() -> Never {
        ConsoleBackend.restoreTerminal()
        _exit(CommandStatus.interrupted.rawValue)
    }

    /// Runs `body` in a task that a signal cancels. Throws what it throws; `CancellationError` where a signal came and
    /// the body ended by itself because of it.
    func running(_ body: sending @escaping @concurrent () async throws -> Void) async throws {
        let task = Task(executorPreference: AppThreads.preference) { try await body() }
        interruption.attach { task.cancel() }
        let result = await task.result
        if interruption.detach() { throw CancellationError() }
        try result.get()
    }
}
