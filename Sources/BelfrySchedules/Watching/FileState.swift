import Glibc

/// The state of a file, which is compared without reading the file.
struct FileState: Equatable {
    let device: UInt
    let node: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    /// Nil if there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        node = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
