import Belfry
import FoundationEssentials
import Glibc

/// Reads a file in pieces.
enum TrackFile {
    private static let pieceLength = 65_536

    /// The largest file in bytes. A larger one holds more than a million positions, or none.
    private static let lengthLimit = 1 << 30

    /// Reads pieces until `take` returns false, or the file ends.
    static func read(
        _ path: String,
        _ take: (ArraySlice<UInt8>) throws(NoticeError) -> Bool
    ) throws(NoticeError) {
        let descriptor: Int32
        do throws(RegularFile.Failure) { descriptor = try RegularFile.open(path) } catch {
            guard case .system(let number) = error else { throw unsuitable(path) }
            throw unreadable(path, number)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= lengthLimit else { throw unsuitable(path) }
        var piece = [UInt8](repeating: 0, count: pieceLength)
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw unreadable(path, errno)
            }
            guard try take(piece[..<count]) else { return }
        }
    }

    /// Whether it begins with `<`, after spaces and a byte order mark.
    static func isMarkup(_ path: String) throws(NoticeError) -> Bool {
        var first: UInt8?
        try read(path) { piece throws(NoticeError) in
            first = piece.first { $0 > 32 && ![0xEF, 0xBB, 0xBF].contains($0) }
            return first == nil
        }
        return first == UInt8(ascii: "<")
    }

    private static func unsuitable(_ path: String) -> NoticeError {
        NoticeError(
            .fileUnreadable,
            "The track '\(path)' is no file, or longer than 1 GiB: name a file with a track."
        )
    }

    private static func unreadable(_ path: String, _ number: Int32) -> NoticeError {
        NoticeError(
            .fileUnreadable,
            "The track '\(path)' can't be read: look at its name and its permissions.",
            cause: String(cString: strerror(number))
        )
    }
}
