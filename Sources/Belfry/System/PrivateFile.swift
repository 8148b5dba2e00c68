package import FoundationEssentials
import Glibc

/// Small files that only this user may read.
package enum PrivateFile {
    /// Replaces a file atomically: even after a power cut it has the old or the new contents. Returns false after an
    /// error; the file is then unchanged.
    @discardableResult
    package static func replace(_ path: String, with contents: Data) -> Bool {
        let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let isComplete = RegularFile.write(contents, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isComplete, rename(draft, path) == 0 else {
            unlink(draft)
            return false
        }
        return true
    }
}
