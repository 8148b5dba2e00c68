import Belfry
import Foundation
import Synchronization

extension Process {
    /// How a program ended.
    enum End: Sendable, Hashable {
        case exited
        /// By a signal that did not come from here.
        case crashed(signal: Int32)
        /// It took longer than the limit, and was killed.
        case late
    }

    /// Runs it to its end. It is killed when the limit is over, and where `endsWithTask` when the task is cancelled.
    func run(within limit: Duration, endsWithTask: Bool) async throws -> End {
        let (ends, ended) = AsyncStream<Void>.makeStream()
        terminationHandler = { _ in ended.finish() }
        try startUnmasked()
        let identifier = processIdentifier
        let isLate = Atomic<Bool>(false)
        await withTaskCancellationHandler {
            let timeout = Timeout.begin(limit) {
                isLate.store(true, ordering: .relaxed)
                kill(identifier, SIGKILL)
            }
            // In a task of its own, which no cancellation ends.
            await Task { for await _ in ends {} }.value
            timeout.end()
        } onCancel: {
            if endsWithTask { kill(identifier, SIGKILL) }
        }
        guard !isLate.load(ordering: .relaxed) else { return .late }
        return terminationReason == .exit ? .exited : .crashed(signal: terminationStatus)
    }

    /// Runs it with no signal blocked. Threads of Swift's pool block signals, and a child inherits that: it could not
    /// be interrupted.
    private func startUnmasked() throws {
        var none = sigset_t()
        var old = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        try run()
    }
}

extension Process.End {
    /// How it ended, as the end of a sentence; nil where it ended by itself.
    var words: String? {
        switch self {
        case .exited: nil
        case .crashed(let signal): "it ended the process by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .late: "it took too long and was given up"
        }
    }
}
