import CLinuxClock
import FoundationEssentials
import Glibc

/// Files that are watched by their paths (inotify(7)): a file that is replaced is another file, and so is a directory.
///
/// It watches the directory of each file, and those of the links on its path. If one of them doesn't exist, it watches
/// the nearest existing directory until it does.
package struct WatchedFiles: Sendable {
    package let descriptor: Int32
    private let paths: [String]
    /// The numbers of the watched directories.
    private var numbers: Set<Int32> = []
    /// The names in these directories whose changes are reported, joined by slashes.
    private var names = ""
    /// Whether all directories are watched. A user may not read one, or have no watches left.
    package private(set) var isComplete = false

    /// Opens an inotify instance. Returns its descriptor, or a negated errno.
    package static func open() -> Int32 { belfry_clock_watch_open() }

    /// - Parameters:
    ///   - paths: Absolute paths.
    ///   - descriptor: An inotify instance, which the caller closes.
    package init(_ paths: [String], _ descriptor: Int32) {
        self.paths = paths
        self.descriptor = descriptor
    }

    package func close() { _ = Glibc.close(descriptor) }

    /// Ends a watch of the centers' thread for the descriptor, and closes it.
    package func close(ending watch: UInt64) {
        Task(executorPreference: CenterThread.shared) {
            await CenterThread.shared.unwatch(watch)
            close()
        }
    }

    /// Watches the directories that are now on the paths, and no others.
    package mutating func watch() {
        let old = numbers
        var steps = self.steps
        // A link that changes before its directory is watched is not reported.
        while true {
            let added = Set(steps.map(\.folder)).map { belfry_clock_watch_add_directory(descriptor, $0) }
            isComplete = added.allSatisfy { $0 >= 0 }
            numbers = Set(added.filter { $0 >= 0 })
            let now = self.steps
            if now == steps { break }
            steps = now
        }
        names = Set(steps.map(\.name)).joined(separator: "/")
        for number in old.subtracting(numbers) { _ = belfry_clock_watch_remove(descriptor, number) }
    }

    /// Reads the waiting events. Returns true if one of the files may have changed.
    package mutating func read() -> Bool {
        let status = belfry_clock_watch_read(descriptor, names)
        // An open inotify instance can always be read (inotify(7)).
        guard status >= 0, status & (BELFRY_CLOCK_WATCH_LOST | BELFRY_CLOCK_WATCH_NAMED) != 0 else { return false }
        watch()
        return true
    }

    // MARK: Paths

    /// A name in a directory that leads to one of the files.
    private struct Step: Hashable {
        let folder: String
        let name: String
    }

    private var steps: Set<Step> { paths.reduce(into: []) { $0.formUnion(Self.steps(to: $1)) } }

    /// Returns the links on a path, and the file or the first directory that doesn't exist.
    private static func steps(to path: String) -> Set<Step> {
        var steps: Set<Step> = []
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
                steps.insert(Step(folder: folder, name: name))
                if target.hasPrefix("/") { folder = "/" }
                rest = target.split(separator: "/").map(String.init).filter { $0 != "." } + rest
            } else if rest.isEmpty || !FileManager.default.fileExists(atPath: next) {
                steps.insert(Step(folder: folder, name: name))
                break
            } else {
                folder = next
            }
        }
        return steps
    }
}
