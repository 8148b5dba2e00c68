import CLinuxClock
import Dispatch
import FoundationEssentials
import Glibc

/// Signals when a file may have changed: at the beginning, and after each change in its directory that may affect it.
///
/// It watches the directory (inotify(7)), because a file that is replaced is another file. It also watches the
/// directory of each link on the path, and renews the watches if a link changes. Without inotify, or if a directory is
/// removed, the file is checked every 2 s.
///
/// `@unchecked Sendable`: mutable state is accessed only on `queue`.
final class FileChanges: @unchecked Sendable {
    let looks: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let path: String
    private let name: String
    private let queue = DispatchQueue(label: "org.belfry.schedule-watch")
    private var source: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?
    private var isLookComing = false
    /// The watched directories.
    private var folders: Set<String> = []

    /// The delay in which several changes count as one.
    private static let settling = DispatchTimeInterval.milliseconds(50)

    init(of path: String) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        name = URL(fileURLWithPath: path).lastPathComponent
        (looks, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        queue.sync {
            begin()
            continuation.yield()
        }
    }

    deinit {
        source?.cancel()
        timer?.cancel()
        continuation.finish()
    }

    func look() { continuation.yield() }

    private func begin() {
        let descriptor = belfry_clock_watch_open()
        guard descriptor >= 0 else { return poll() }
        // A link that changes before its directory is watched is not reported.
        repeat {
            folders = Self.folders(onTheWayTo: path)
            guard folders.allSatisfy({ belfry_clock_watch_add_directory(descriptor, $0) >= 0 }) else {
                close(descriptor)
                return poll()
            }
        } while folders != Self.folders(onTheWayTo: path)
        timer?.cancel()
        timer = nil
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.take(descriptor) }
        source.setCancelHandler { close(descriptor) }
        self.source = source
        source.activate()
    }

    /// Checks the file periodically until its directory exists (again).
    private func poll() {
        guard timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 2, repeating: 2)
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            // The look comes after the watch: a change between the two would be seen by neither.
            begin()
            continuation.yield()
        }
        self.timer = timer
        timer.activate()
    }

    /// Returns the directory of the file, and those of the links on its path.
    private static func folders(onTheWayTo path: String) -> Set<String> {
        var folders: Set<String> = []
        var folder = "/"
        var rest = path.split(separator: "/").map(String.init)[...]
        // The number of links that the kernel follows (path_resolution(7)).
        var linksLeft = 40
        while let name = rest.popFirst() {
            if name == ".." {
                folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path
                continue
            }
            let next = folder == "/" ? "/" + name : folder + "/" + name
            if linksLeft > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) {
                linksLeft -= 1
                folders.insert(folder)
                if target.hasPrefix("/") { folder = "/" }
                rest = target.split(separator: "/").map(String.init).filter { $0 != "." } + rest
            } else if rest.isEmpty {
                folders.insert(folder)
            } else {
                folder = next
            }
        }
        return folders
    }

    private func take(_ descriptor: Int32) {
        let news = belfry_clock_watch_read(descriptor, name)
        let isFolderGone = news < 0 || news & BELFRY_CLOCK_WATCH_LOST != 0
        // A link and its target have different names.
        let isLinked = folders != [URL(fileURLWithPath: path).deletingLastPathComponent().path]
        // The event for a changed link may not have been read yet, and is lost with the old watches.
        let isMoved = folders != Self.folders(onTheWayTo: path)
        let concerns = isLinked || news & BELFRY_CLOCK_WATCH_NAMED != 0
        if isFolderGone || isMoved {
            source?.cancel()
            source = nil
            if isFolderGone { poll() } else { begin() }
        }
        if concerns || isFolderGone || isMoved { lookSoon() }
    }

    private func lookSoon() {
        guard !isLookComing else { return }
        isLookComing = true
        queue.asyncAfter(deadline: .now() + Self.settling) { [weak self] in
            guard let self else { return }
            isLookComing = false
            continuation.yield()
        }
    }
}
