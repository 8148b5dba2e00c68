package import FoundationEssentials
import Glibc

/// Small files that only this user may read.
package enum PrivateFile {
    /// Replaces a file atomically. Returns false after an error, such as a full disk; the file is then unchanged.
    ///
    /// - Parameter outlivesPowerCut: Whether the file has the old or the new contents even after a power cut, which
    ///   costs an fsync(2).
    @discardableResult
    package static func replace(_ path: String, with contents: Data, outlivesPowerCut: Bool = true) -> Bool {
        let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let isComplete =
            RegularFile.write(contents, to: descriptor) && (!outlivesPowerCut || fsync(descriptor) == 0)
        close(descriptor)
        guard isComplete, rename(draft, path) == 0 else {
            unlink(draft)
            return false
        }
        return true
    }
}
