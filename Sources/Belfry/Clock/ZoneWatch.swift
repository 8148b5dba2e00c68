import BelfryRecurrence
import CLinuxClock
import FoundationEssentials
import Glibc
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
        /// The watched directories; nil without listeners, or without an inotify instance.
        var folders: WatchedFolders?
        /// The ID of the watch of `folders` on the centers' thread.
        var watch: UInt64?
        /// The zone files when the first listener was added.
        var files: [FileIdentity?] = []
        var failures = 0
        /// True if a timer to begin watching is set.
        var isBeginSet = false
    }

    private let paths: [String]
    private let delay: Duration
    private let openWatch: @Sendable () -> Int32
    private let state = Mutex(State())

    /// Packages replace zone files one after another, so the zone is checked again after this time.
    private static let settlingTime = Duration.seconds(3)
    private static let longestRetry = Duration.seconds(600)

    /// The watch of this process: the directory of `localtime`, and that of the zone data. An update of the data is
    /// reported like a change of the zone.
    static let shared = ZoneWatch(["/etc", "/usr/share/zoneinfo"], after: .seconds(1))

    /// Opens an inotify instance. Returns its descriptor, or a negated errno.
    static func open() -> Int32 { belfry_clock_watch_open() }

    /// - Parameter open: Returns the descriptor of an inotify instance, or a negated errno.
    init(
        _ paths: [String],
        after delay: Duration = .zero,
        opening open: @escaping @Sendable () -> Int32 = ZoneWatch.open
    ) {
        self.paths = paths
        self.delay = delay
        openWatch = open
    }

    /// Calls `listener` on any thread whenever the zone may have changed, until ``forget(_:)``.
    func listen(_ listener: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            if state.listeners.isEmpty { state.files = WatchedFolders.zoneFiles(in: paths) }
            state.lastID += 1
            state.listeners[state.lastID] = listener
            if delay == .zero { begin(&state) } else if state.folders == nil { begin(after: delay, &state) }
            return state.lastID
        }
    }

    func forget(_ id: UInt64) {
        let ended = state.withLock { state -> (WatchedFolders, UInt64)? in
            state.listeners[id] = nil
            guard state.listeners.isEmpty, let folders = state.folders, let watch = state.watch else { return nil }
            state.folders = nil
            state.watch = nil
            return (folders, watch)
        }
        guard let (folders, watch) = ended else { return }
        Task(executorPreference: CenterThread.shared) {
            await CenterThread.shared.unwatch(watch)
            folders.close()
        }
    }

    /// Begins watching, if it has not begun yet.
    private func begin(_ state: inout State) {
        guard state.folders == nil, !state.listeners.isEmpty else { return }
        let descriptor = openWatch()
        guard descriptor >= 0 else { return retry(&state) }
        var folders = WatchedFolders(paths, descriptor)
        do throws(NoticeError) {
            state.watch = try CenterThread.shared.watch(descriptor) { [weak self] in self?.read(descriptor) }
        } catch {
            folders.close()
            return retry(&state)
        }
        folders.watch()
        state.folders = folders
        state.failures = 0
    }

    private func retry(_ state: inout State) {
        state.failures += 1
        begin(after: min(Duration.seconds(10) * (1 << min(state.failures - 1, 10)), Self.longestRetry), &state)
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
                return state.folders != nil && state.files != WatchedFolders.zoneFiles(in: paths)
            }
            if isNews { emit() }
        }
    }

    /// Reads the instance; called on the centers' thread.
    private func read(_ descriptor: Int32) {
        let isNews = state.withLock { state -> Bool in
            guard state.folders?.descriptor == descriptor else { return false }
            return state.folders?.read() ?? false
        }
        guard isNews else { return }
        emit()
        CenterThread.shared.wait(until: .now + Self.settlingTime) { [weak self] in
            // A replaced directory may exist again by now.
            self?.state.withLock { $0.folders?.watch() }
            self?.emit()
        }
    }

    private func emit() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
    }
}

/// Directories that are watched by path, including those created or replaced later.
struct WatchedFolders: Sendable {
    let descriptor: Int32
    private let paths: [String]
    /// The watch descriptors of the directories, by path.
    private var numbers: [String: Int32] = [:]
    /// The names in watched directories whose changes are reported, joined by slashes.
    private var names = ""

    /// The files whose changes are reported: the zone, and `tzdata.zi`, which every package of zone data contains.
    private static let zoneFiles = ["localtime", "tzdata.zi"]

    /// Returns the identities of the zone files, nil for each that doesn't exist.
    static func zoneFiles(in paths: [String]) -> [FileIdentity?] {
        paths.flatMap { path in zoneFiles.map { FileIdentity(ofFileAt: "\(path)/\($0)") } }
    }

    init(_ paths: [String], _ descriptor: Int32) {
        self.paths = paths.filter { $0.hasPrefix("/") }
        self.descriptor = descriptor
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Watches the directories now at the paths, and the names that may replace them.
    mutating func watch() {
        var names = Self.zoneFiles
        for path in paths {
            let number = belfry_clock_watch_add_directory(descriptor, path)
            if let old = numbers[path], old != number, !numbers.contains(where: { $0.key != path && $0.value == old }) {
                // The old directory was moved away, so its changes don't matter any more.
                _ = belfry_clock_watch_remove(descriptor, old)
            }
            numbers[path] = number >= 0 ? number : nil
            names.append(watchParent(of: path))
        }
        self.names = names.joined(separator: "/")
    }

    /// Watches the nearest existing parent directory for the name that leads to the path. Returns that name.
    private func watchParent(of path: String) -> String {
        var child = path
        while true {
            let (parent, name) = Self.split(child)
            if parent == child || belfry_clock_watch_add_parent(descriptor, parent) >= 0 { return name }
            child = parent
        }
    }

    /// Splits an absolute path into its directory and its name; the root is its own parent.
    private static func split(_ path: String) -> (parent: String, name: String) {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return ("/", "/") }
        return ("/" + parts.dropLast().joined(separator: "/"), String(name))
    }

    /// Reads the waiting events. Returns true if the zone or its data may have changed.
    mutating func read() -> Bool {
        let status = belfry_clock_watch_read(descriptor, names)
        // An open inotify instance can always be read (inotify(7)).
        guard status >= 0 else { return false }
        let isNews = status & (BELFRY_CLOCK_WATCH_LOST | BELFRY_CLOCK_WATCH_NAMED) != 0
        if isNews { watch() }
        return isNews
    }
}
