import Belfry
import FoundationEssentials
import Glibc

/// The store's own directory, and the paths in it.
struct StoreFolder: Sendable {
    let path: String

    var database: String { path + "/store.sqlite" }
    /// The data salvaged from a damaged file, until it takes that file's name.
    var rescued: String { path + "/rescued.sqlite" }
    /// A copy of a damaged file while it is being read, so that the original stays as it was found.
    var examined: String { path + "/examined.sqlite" }
    /// The file of ``CommitMark``.
    var mark: String { path + "/acknowledged" }
    var lock: String { path + "/lock" }
    /// A file that exists while damage was found in use, and no opening has checked the whole database since.
    private var suspicion: String { path + "/check" }
    var attachments: String { path + "/attachments" }

    /// Returns `$XDG_STATE_HOME/belfry/apps/<id>`; without that variable it is in `~/.local/state`.
    static func path(of id: String, _ environment: [String: String]) throws(NoticeError) -> String {
        guard !id.isEmpty, id != ".", id != "..", id.utf8.count <= 255,
            !id.utf8.contains(where: { $0 == 0x2F || $0 < 0x20 })
        else {
            throw NoticeError(
                .invalidIdentifier,
                "The application identifier '\(id)' can't name a folder: use 1 to 255 bytes without '/' and control "
                    + "characters, as in org.example.Tea."
            )
        }
        return BaseFolder.state.path(in: environment) + "/belfry/apps/" + id
    }

    /// Creates the directory and its parents, for this user alone. Existing directories are not changed.
    func create() throws(NoticeError) { try Self.create(path) }

    private static func create(_ folder: String) throws(NoticeError) {
        var info = stat()
        if stat(folder, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFDIR else {
                throw NoticeError(file: folder, "use as a folder", errno: ENOTDIR)
            }
            return
        }
        guard errno == ENOENT else { throw NoticeError(file: folder, "open", errno: errno) }
        let slash = folder.lastIndex(of: "/")
        let parent = slash.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        try create(parent)
        // Another process may be creating the same ones.
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw NoticeError(file: folder, "make the folder", errno: errno)
        }
        synchronize(parent)
    }

    /// Refuses a directory that has no store and never had one, but files of others under the names of a store's, which
    /// would be overwritten or removed.
    func refuseOtherFiles() throws(NoticeError) {
        // A lock is left by an interrupted first opening, and by a store whose data was removed.
        guard !StoreLock.isLock(lock),
            let file = [lock, mark, suspicion, attachments, examined].first(where: Self.exists),
            !hasStore
        else { return }
        throw NoticeError(
            .storeFailed,
            "The folder '\(path)' has no store, but '\(file)', which a store would replace: name another folder."
        )
    }

    /// Creates an empty file that nobody else may read, before SQLite would create one by the umask. The files that
    /// SQLite creates beside it get its mode.
    func createFile(_ file: String) throws(NoticeError) {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw NoticeError(file: file, "open", errno: errno) }
        defer { close(descriptor) }
        var info = stat()
        if fstat(descriptor, &info) == 0, info.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 {
            throw NoticeError(file: file, "keep others out of", errno: errno)
        }
        Self.synchronize(path)
    }

    /// Whether an opening has to check every page. A large file that was closed properly and has shown no damage is
    /// checked as it is read. Any damage is found then, and repaired at the next opening.
    var needsCheck: Bool {
        if Self.exists(suspicion) || Self.exists(database + "-wal") { return true }
        var info = stat()
        return stat(database, &info) != 0 || info.st_size < 16_000_000
    }

    func askForCheck() {
        let descriptor = open(suspicion, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    func wasChecked() { if Self.exists(suspicion) { unlink(suspicion) } }

    /// Makes the names in a directory durable. File systems that can't sync a directory don't need it.
    static func synchronize(_ folder: String) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Whether the directory has a store's data, or may have: what can't be examined must not be taken for nothing.
    private var mayHaveData: Bool { [database, database + "-wal", rescued].contains(where: Self.mayExist) }

    /// Whether the directory has a store's data, or the mark of transactions that are missing.
    private var hasStore: Bool { mayHaveData || CommitMark.read(mark) != nil }

    /// Whether the directory has, or may have, a store or what is left of one.
    var mayHaveStore: Bool {
        var info = stat()
        let isFile = stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFDIR
        return isFile || mayHaveData || Self.mayExist(mark)
    }

    static func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

    /// Whether there is a file, of any kind, or its directory can't be searched.
    private static func mayExist(_ file: String) -> Bool {
        var info = stat()
        return lstat(file, &info) == 0 || ![ENOENT, ENOTDIR].contains(errno)
    }

    static func rename(_ old: String, to new: String) throws(NoticeError) {
        guard Glibc.rename(old, new) == 0 else { throw NoticeError(file: old, "rename", errno: errno) }
    }

    /// Warnings about the directory, for users.
    var warnings: [String] {
        var found: [String] = []
        var info = stat()
        if stat(path, &info) == 0, info.st_mode & 0o077 != 0 {
            found.append(
                "Others may look into the folder '\(path)': chmod 700 keeps them out. The store's file is closed to "
                    + "them."
            )
        }
        if let type = Self.networkFileSystem(of: path) {
            found.append(
                "The folder '\(path)' is on a network file system (\(type)), where another machine may not see the "
                    + "lock: open the store on one machine only."
            )
        }
        return found
    }

    private static func networkFileSystem(of path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        guard let data = FileManager.default.contents(atPath: "/proc/self/mounts") else { return nil }
        return networkFileSystem(of: String(cString: real), in: String(decoding: data, as: UTF8.self))
    }

    /// The type of the file system of a real path, if it is one that several machines share. `mounts` is the text of
    /// /proc/self/mounts (proc_pid_mounts(5)).
    static func networkFileSystem(of path: String, in mounts: String) -> String? {
        let shared: Set<Substring> = ["nfs", "nfs4", "cifs", "smb3", "afs", "coda", "ceph", "fuse.sshfs", "9p"]
        let folder = path + "/"
        var best: (length: Int, type: Substring) = (0, "")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            let mount = decoded(fields[1])
            let point = mount == "/" ? "/" : mount + "/"
            // Of two mounts on one point, the later one is visible.
            if folder.hasPrefix(point), point.utf8.count >= best.length { best = (point.utf8.count, fields[2]) }
        }
        return shared.contains(best.type) ? String(best.type) : nil
    }

    /// Decodes a path in the list of mounts. The characters that end a field or a line, and backslashes, are in octal
    /// (getmntent(3)).
    private static func decoded(_ path: Substring) -> String {
        String(path).replacing(#"\040"#, with: " ").replacing(#"\011"#, with: "\t").replacing(#"\012"#, with: "\n")
            // The last, since it makes new backslashes.
            .replacing(#"\134"#, with: #"\"#)
    }
}
