import BelfryRecurrence
import Synchronization

/// Reports changes of the time zone and of the zone data to all alarms of a process. It uses a single inotify instance,
/// of which a user has 128 on many systems, for all programs.
///
/// It watches from a second after its first listener until its last one ends. Closing the instance takes the kernel 10
/// to 20 ms, for which a program that shows one notice would have to wait. Without an instance it tries again, at
/// growing intervals; the clock works without one.
final class ZoneWatch: Sendable {
    private struct State {
        var listeners: [UInt64: @Sendable () -> Void] = [:]
        var lastID: UInt64 = 0
        /// The watched files; nil without listeners, or without an inotify instance.
        var files: WatchedFiles?
        /// The files when the first listener was added, or when a change was found later; nil for each that doesn't
        /// exist.
        var identities: [FileIdentity?] = []
        var failures = 0
        /// True if a timer to begin watching is set.
        var isBeginSet = false
    }

    private let paths: [String]
    private let delay: Duration
    private let retryInterval: Duration
    private let openWatch: @Sendable () -> Int32
    private let state = Mutex(State())

    /// The zone, and `tzdata.zi`, which every package of zone data contains.
    private static let files = ["localtime", "tzdata.zi"]

    /// Packages replace zone files one after another, so the zone is checked again after this time.
    private static let settlingTime = Duration.seconds(3)
    private static let longestRetry = Duration.seconds(600)

    /// The watch of this process: the directory of `localtime`, and that of the zone data. An update of the data is
    /// reported like a change of the zone.
    static let shared = ZoneWatch(["/etc", "/usr/share/zoneinfo"], after: .seconds(1))

    /// - Parameters:
    ///   - folders: The directories whose zone files are watched.
    ///   - retryInterval: The first of the growing intervals between attempts.
    ///   - open: Returns the descriptor of an inotify instance, or a negative number.
    init(
        _ folders: [String],
        after delay: Duration = .zero,
        retrying retryInterval: Duration = .seconds(10),
        opening open: @escaping @Sendable () -> Int32 = WatchedFiles.open
    ) {
        let folders = folders.filter { $0.hasPrefix("/") }
        // The directories too, in case that a program keeps a removed one open.
        paths = folders + folders.flatMap { folder in Self.files.map { "\(folder)/\($0)" } }
        self.delay = delay
        self.retryInterval = retryInterval
        openWatch = open
    }

    /// Calls `listener` on any thread whenever the zone may have changed, until ``forget(_:)``.
    func listen(_ listener: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            if state.listeners.isEmpty { state.identities = identities }
            state.lastID += 1
            state.listeners[state.lastID] = listener
            if delay == .zero { begin(&state) } else if state.files == nil { begin(after: delay, &state) }
            return state.lastID
        }
    }

    func forget(_ id: UInt64) {
        state.withLock { state in
            state.listeners[id] = nil
            guard state.listeners.isEmpty else { return }
            state.files?.end()
            state.files = nil
        }
    }

    private var identities: [FileIdentity?] { paths.map { FileIdentity(ofFileAt: $0) } }

    /// Begins watching whatever is not watched yet. A user may have no inotify instance or no watches left.
    private func begin(_ state: inout State) {
        guard state.files?.isComplete != true, !state.listeners.isEmpty else { return }
        if state.files == nil {
            state.files = WatchedFiles(paths, opening: openWatch) { [weak self] in self?.read() }
        } else {
            state.files?.watch()
        }
        if state.files?.isComplete == true { state.failures = 0 } else { retry(&state) }
    }

    private func retry(_ state: inout State) {
        state.failures += 1
        begin(after: min(retryInterval * (1 << min(state.failures - 1, 10)), Self.longestRetry), &state)
    }

    /// Begins watching after a delay, with one timer for any number of alarms.
    private func begin(after delay: Duration, _ state: inout State) {
        guard !state.isBeginSet else { return }
        state.isBeginSet = true
        CenterThread.shared.wait(until: .now + delay) { [weak self] in
            guard let self else { return }
            let isNews = self.state.withLock { state in
                state.isBeginSet = false
                begin(&state)
                // Changes made before the watch began were not reported.
                let found = identities
                guard state.files != nil, state.identities != found else { return false }
                state.identities = found
                return true
            }
            if isNews { emit() }
        }
    }

    /// Reads the instance; called on the centers' thread.
    private func read() {
        guard state.withLock({ $0.files?.read() }) == true else { return }
        emit()
        CenterThread.shared.wait(until: .now + Self.settlingTime) { [weak self] in
            // A replaced directory may exist again by now.
            self?.state.withLock { state in
                state.files?.watch()
                self?.begin(&state)
            }
            self?.emit()
        }
    }

    private func emit() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
    }
}
