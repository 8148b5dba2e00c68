import Belfry
import Glibc

/// Reads the file of a track.
enum TrackFile {
    /// The largest file in bytes. A larger one holds more than a million positions, or none.
    private static let limit = 256 << 20

    static func bytes(of path: String) throws(NoticeError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) { bytes = try RegularFile.bytes(of: path, limit: limit + 1) } catch {
            guard case .system(let number) = error else { throw unsuitable(path) }
            throw NoticeError(
                .fileUnreadable,
                "The track '\(path)' can't be read: look at its name and its permissions.",
                cause: String(cString: strerror(number))
            )
        }
        guard bytes.count <= limit else { throw unsuitable(path) }
        return bytes
    }

    private static func unsuitable(_ path: String) -> NoticeError {
        NoticeError(
            .fileUnreadable,
            "The track '\(path)' is no file, or longer than 256 MiB: name a file with a track."
        )
    }
}
