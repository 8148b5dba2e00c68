import FoundationEssentials
import Glibc

/// Files that are watched by their paths (inotify(7)): a file that is replaced is another file, and so is a directory.
///
/// It watches the directory of each file, and those of the links on its path. If one of them doesn't exist, it watches
/// the nearest existing directory until it does.
package struct WatchedFiles: Sendable {
    private let descriptor: Int32
    /// The watch of the descriptor on the centers' thread.
    private let descriptorWatch: UInt64
    private let paths: [String]
    /// The numbers of the watched directories.
    private var numbers: Set<Int32> = []
    /// The names in these directories whose changes are reported.
    private var names: Set<String> = []
    /// Whether all directories are watched. A user may not read one, or have no watches left.
    package private(set) var isComplete = false

    /// The changes that are reported. A symbolic link such as /etc/localtime is created, never written and closed. A
    /// change of the attributes may make a file readable.
    private static let changes =
        IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR
    /// Events were lost, or a directory is gone. IN_IGNORED follows each of the others, and the end of a watch.
    private static let lost = IN_Q_OVERFLOW | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF

    /// Opens an inotify instance. Returns its descriptor, or a negative number.
    package static func open() -> Int32 { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }

    /// Begins watching. Returns nil if there are no more descriptors or inotify instances.
    ///
    /// - Parameters:
    ///   - paths: Absolute paths.
    ///   - open: Returns the descriptor of an inotify instance, or a negative number.
    ///   - readable: Called on the centers' thread when there is something to ``read()``.
    package init?(
        _ paths: [String],
        opening open: () -> Int32 = WatchedFiles.open,
        _ readable: @escaping @Sendable () -> Void
    ) {
        descriptor = open()
        guard descriptor >= 0 else { return nil }
        do throws(NoticeError) {
            descriptorWatch = try CenterThread.shared.watch(descriptor) { readable() }
        } catch {
            close(descriptor)
            return nil
        }
        self.paths = paths
        watch()
    }

    /// Ends watching. Call it exactly once.
    package func end() {
        Task(executorPreference: CenterThread.shared) {
            await CenterThread.shared.unwatch(descriptorWatch)
            close(descriptor)
        }
    }

    /// Watches the directories that are now on the paths, and no others.
    package mutating func watch() {
        let old = numbers
        var steps = self.steps
        // A link that changes before its directory is watched is not reported.
        while true {
            let added = Set(steps.map(\.folder)).map { inotify_add_watch(descriptor, $0, UInt32(Self.changes)) }
            isComplete = added.allSatisfy { $0 >= 0 }
            numbers = Set(added.filter { $0 >= 0 })
            let now = self.steps
            if now == steps { break }
            steps = now
        }
        names = Set(steps.map(\.name))
        for number in old.subtracting(numbers) { inotify_rm_watch(descriptor, number) }
    }

    /// Reads the waiting events. Returns true if one of the files may have changed.
    package mutating func read() -> Bool {
        var isConcerned = false
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let length = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if length < 0, errno == EINTR { continue }
                guard length > 0 else { break }
                if concerns(UnsafeRawBufferPointer(buffer)[..<length]) { isConcerned = true }
            }
        }
        if isConcerned { watch() }
        return isConcerned
    }

    /// - Parameter events: as inotify(7) lays them out, the names with zeros at their ends.
    private func concerns(_ events: UnsafeRawBufferPointer.SubSequence) -> Bool {
        var rest = events
        while rest.count >= MemoryLayout<inotify_event>.size {
            let event = UnsafeRawBufferPointer(rebasing: rest).load(as: inotify_event.self)
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
            if event.mask & UInt32(Self.lost) != 0 { return true }
            let name = rest.prefix(Int(event.len)).prefix { $0 != 0 }
            if names.contains(String(decoding: name, as: UTF8.self)) { return true }
            rest = rest.dropFirst(Int(event.len))
        }
        return false
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
