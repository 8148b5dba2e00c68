import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The identity of one version of a file, which is compared without reading the file.
package struct FileIdentity: Equatable, Sendable {
    let path: String
    let device: UInt64
    let inode: UInt64
    package let size: Int64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: Int64
    /// The time of the last change of the contents or of the permissions.
    let changedSeconds: Int64
    let changedNanoseconds: Int64

    /// - Returns: `nil` if there is no regular file at the path, following links. A pipe or a device could block a
    ///   reader forever.
    package init?(ofFileAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
    }

    /// Returns the file's bytes, or `nil` if it can't be read or is larger than any zone's data.
    func contents() -> [UInt8]? {
        guard size <= 1 << 20, let data = FileManager.default.contents(atPath: path) else { return nil }
        return [UInt8](data)
    }
}
