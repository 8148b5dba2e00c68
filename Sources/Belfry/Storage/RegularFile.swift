import FoundationEssentials
import Glibc

/// Files that somebody has named, read without waiting.
///
/// Opening a FIFO waits for whoever writes into it, reading a device may never end, and opening one may do something.
/// So only regular files are opened, and everything else is an error.
package enum RegularFile {
    package enum Failure: Error, Hashable, Sendable {
        /// A directory, a FIFO, a socket or a device.
        case notRegular
        /// The errno of the call that failed.
        case system(Int32)

        package var isAbsent: Bool { self == .system(ENOENT) || self == .system(ENOTDIR) }
    }

    /// A descriptor, which is the caller's to close.
    package static func open(_ path: String) throws(Failure) -> Int32 {
        guard !path.utf8.contains(0) else { throw .system(ENOENT) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno) }
        guard isRegular(status) else { throw .notRegular }
        // It may have become something else since: then this does not wait either.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        guard fstat(descriptor, &status) == 0, isRegular(status) else {
            close(descriptor)
            throw .notRegular
        }
        return descriptor
    }

    /// The file's bytes, and no more than `limit` of them.
    package static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try self.bytes(from: descriptor, limit: limit)
    }

    /// The bytes of an open file from where it stands, and no more than `limit` of them.
    package static func bytes(from descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let wanted = min(piece.count, limit - bytes.count)
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, wanted) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Whether ``open(_:)`` would succeed. Opens nothing.
    package static func isReadable(_ path: String) -> Bool {
        var status = stat()
        return !path.utf8.contains(0) && stat(path, &status) == 0 && isRegular(status) && access(path, R_OK) == 0
    }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }
}
