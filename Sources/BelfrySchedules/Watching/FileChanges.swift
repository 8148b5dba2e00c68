import Belfry
import FoundationEssentials
import Synchronization

/// Signals when a file may have changed: at the beginning, and after each change that may affect it. While its
/// directories can't be watched, it signals every 2 s.
final class FileChanges: Sendable {
    private struct State {
        /// The watched file; nil without an inotify instance.
        var files: WatchedFiles?
        var isLookComing = false
        var isPolling = false
    }

    let looks: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let path: String
    private let state = Mutex(State())

    /// The delay in which several changes count as one.
    private static let settlingTime = Duration.milliseconds(50)
    private static let pollingInterval = Duration.seconds(2)

    init(of path: String) {
        self.path = PathText.absolute(path)
        (looks, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        check()
    }

    deinit {
        continuation.finish()
        state.withLock { $0.files?.end() }
    }

    func look() { continuation.yield() }

    func look(after delay: Duration) {
        CenterThread.shared.wait(until: .now + delay) { [weak self] in self?.look() }
    }

    /// Looks at the file, which is watched from now on or else checked again later.
    private func check() {
        state.withLock { state in
            state.isPolling = false
            if state.files == nil {
                state.files = WatchedFiles([path]) { [weak self] in self?.read() }
            } else {
                state.files?.watch()
            }
            poll(&state)
        }
        // The look comes after the watch: a change between the two would be seen by neither.
        look()
    }

    /// Checks the file later if it isn't watched.
    private func poll(_ state: inout State) {
        guard !state.isPolling, state.files?.isComplete != true else { return }
        state.isPolling = true
        CenterThread.shared.wait(until: .now + Self.pollingInterval) { [weak self] in self?.check() }
    }

    /// Reads the waiting events; called on the centers' thread.
    private func read() {
        state.withLock { state in
            guard state.files?.read() == true else { return }
            poll(&state)
            guard !state.isLookComing else { return }
            state.isLookComing = true
            CenterThread.shared.wait(until: .now + Self.settlingTime) { [weak self] in
                self?.state.withLock { $0.isLookComing = false }
                self?.look()
            }
        }
    }
}
