package import FoundationEssentials
import Glibc

/// Reads and writes files, without blocking.
///
/// Opening a FIFO waits for a writer, reading a device may never end, and opening a device may have side effects. So
/// only regular files are opened; anything else is an error.
package enum RegularFile {
    package enum Failure: Error, Hashable, Sendable {
        /// A directory, a FIFO, a socket or a device.
        case notRegular
        /// The errno of the call that failed.
        case system(Int32)

        package var isAbsent: Bool { self == .system(ENOENT) || self == .system(ENOTDIR) }
    }

    /// Opens a file. The caller must close the descriptor.
    package static func open(_ path: String) throws(Failure) -> Int32 {
        guard !path.utf8.contains(0) else { throw .system(ENOENT) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno) }
        guard isRegular(status) else { throw .notRegular }
        // It may have been replaced since; O_NONBLOCK then avoids waiting.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        guard fstat(descriptor, &status) == 0, isRegular(status) else {
            close(descriptor)
            throw .notRegular
        }
        return descriptor
    }

    /// Returns the file's bytes, at most `limit` of them.
    package static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try self.bytes(from: descriptor, limit: limit)
    }

    /// Returns the bytes of an open file from its current position, at most `limit` of them.
    package static func bytes(from descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(65_536, max(0, limit)))
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

    /// Writes all bytes at the current position of an open file. Returns false after an error, which is in `errno`.
    package static func write(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Returns whether ``open(_:)`` would succeed, without opening the file.
    package static func isReadable(_ path: String) -> Bool { readableLength(of: path) != nil }

    /// Returns the length in bytes; nil if ``open(_:)`` would fail.
    static func readableLength(of path: String) -> Int? {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0, isRegular(status), access(path, R_OK) == 0 else {
            return nil
        }
        return Int(status.st_size)
    }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }
}
