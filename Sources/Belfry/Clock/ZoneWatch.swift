import BelfryRecurrence
import CLinuxClock
import FoundationEssentials
import Glibc
import Synchronization

/// Tells all alarms of a process of another time zone, or of other zone data, by one inotify instance: a user has 128
/// of them on many systems, for all programs.
///
/// It watches from a second after its first listener to its last: closing the instance takes the kernel 10 to 20 ms,
/// which a program that shows one notice would wait for at its end. Without an instance to be had it looks for one again,
/// later and later: no inotify is no reason to have no clock.
final class ZoneWatch: Sendable {
    private struct State {
        var listeners: [UInt64: @Sendable () -> Void] = [:]
        var lastID: UInt64 = 0
        /// What is watched with; nil while nobody listens, or where there is none.
        var folders: WatchedFolders?
        /// The name of the watch of `folders` on the centers' thread.
        var watch: UInt64?
        /// When the first listener came.
        var files: [FileIdentity?] = []
        var failures = 0
        /// It begins to watch when a timer has come.
        var isBeginSet = false
    }

    private let paths: [String]
    private let delay: Duration
    private let openWatch: @Sendable () -> Int32
    private let state = Mutex(State())

    /// Packages replace zone files one after another: looked at again when they are through.
    private static let settlingTime = Duration.seconds(3)
    private static let longestRetry = Duration.seconds(600)

    private static let all = Mutex<[[String]: ZoneWatch]>([:])

    /// The one of the process for these folders.
    static func shared(for paths: [String]) -> ZoneWatch {
        all.withLock { all in
            if let known = all[paths] { return known }
            let made = ZoneWatch(paths, after: .seconds(1))
            all[paths] = made
            return made
        }
    }

    /// An inotify instance, or a negated errno.
    static func open() -> Int32 { belfry_clock_watch_open() }

    /// `open` answers an inotify instance, or a negated errno.
    init(
        _ paths: [String],
        after delay: Duration = .zero,
        opening open: @escaping @Sendable () -> Int32 = ZoneWatch.open
    ) {
        self.paths = paths
        self.delay = delay
        openWatch = open
    }

    /// `listener` is called, from any thread, when the zone may have changed, until ``forget(_:)``.
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

    /// Watches where that has not begun.
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

    /// One timer, however many alarms come meanwhile.
    private func begin(after delay: Duration, _ state: inout State) {
        guard !state.isBeginSet else { return }
        state.isBeginSet = true
        CenterThread.shared.wait(until: .now + delay) { [weak self] in
            guard let self else { return }
            let isNews = self.state.withLock { state in
                state.isBeginSet = false
                begin(&state)
                // What has changed in the meantime nobody has told.
                return state.folders != nil && state.files != WatchedFolders.zoneFiles(in: paths)
            }
            if isNews { emit() }
        }
    }

    /// On the centers' thread.
    private func read(_ descriptor: Int32) {
        let isNews = state.withLock { state -> Bool in
            guard state.folders?.descriptor == descriptor else { return false }
            return state.folders?.read() ?? false
        }
        guard isNews else { return }
        emit()
        CenterThread.shared.wait(until: .now + Self.settlingTime) { [weak self] in
            // A folder that was replaced may have come by now.
            self?.state.withLock { $0.folders?.watch() }
            self?.emit()
        }
    }

    private func emit() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
    }
}

/// Folders that are watched by their paths, whatever stands there: also one that is made later, or takes another's
/// place.
struct WatchedFolders: Sendable {
    let descriptor: Int32
    private let paths: [String]
    /// The watches of the folders, by path.
    private var numbers: [String: Int32] = [:]
    /// Names in watched folders whose coming and going is news.
    private var names = ""

    /// A change of these is a change of zone, or of the zone data, whose packages all carry `tzdata.zi`.
    private static let zoneFiles = ["localtime", "tzdata.zi"]

    /// The files that are there now.
    static func zoneFiles(in paths: [String]) -> [FileIdentity?] {
        paths.flatMap { path in zoneFiles.map { FileIdentity(ofFileAt: "\(path)/\($0)") } }
    }

    init(_ paths: [String], _ descriptor: Int32) {
        self.paths = paths.filter { $0.hasPrefix("/") }
        self.descriptor = descriptor
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Watches what stands at the paths now, and what may take its place.
    mutating func watch() {
        var names = Self.zoneFiles
        for path in paths {
            let number = belfry_clock_watch_add_directory(descriptor, path)
            if let old = numbers[path], old != number, !numbers.contains(where: { $0.key != path && $0.value == old }) {
                // Moved away: what happens there is no news any more.
                _ = belfry_clock_watch_remove(descriptor, old)
            }
            numbers[path] = number >= 0 ? number : nil
            names.append(watchParent(of: path))
        }
        self.names = names.joined(separator: "/")
    }

    /// The nearest folder above that is there is watched for the name that leads to the path; answers that name.
    private func watchParent(of path: String) -> String {
        var child = path
        while true {
            let (parent, name) = Self.split(child)
            if parent == child || belfry_clock_watch_add_parent(descriptor, parent) >= 0 { return name }
            child = parent
        }
    }

    /// An absolute path's folder and its name in it; the root is its own.
    private static func split(_ path: String) -> (parent: String, name: String) {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return ("/", "/") }
        return ("/" + parts.dropLast().joined(separator: "/"), String(name))
    }

    /// Takes in what has happened; true where the zone, or its data, may have changed.
    mutating func read() -> Bool {
        let status = belfry_clock_watch_read(descriptor, names)
        // An inotify instance that is open can be read (inotify(7)).
        guard status >= 0 else { return false }
        let isNews = status & (BELFRY_CLOCK_WATCH_LOST | BELFRY_CLOCK_WATCH_NAMED) != 0
        if isNews { watch() }
        return isNews
    }
}
