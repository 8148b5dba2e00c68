public import Belfry
import Glibc

/// A track from a file of either format.
///
/// ```swift
/// let track = try LocationTrack(contentsOf: "/home/me/walk.gpx")
/// print(track.fixes.count, track.leftOut)
/// ```
public struct LocationTrack: Sendable, Hashable {
    /// The fixes in the order of the file, with their recorded dates.
    public var fixes: [LocationFix]
    /// The number of points left out for lack of a time, and of sentences with a bad checksum or content.
    public var leftOut: Int

    /// The longest track that is read: a million positions, in 48 MB. A day at one a second is 86,400.
    public static let limit = 1_000_000
    /// The error that one unit of dilution of precision stands for, in meters: a receiver's usual range error.
    static let metersOfDilution = 5.0

    /// Reads GPX if the file begins with `<`, else NMEA 0183. Throws the errors of ``GPXTrack`` and ``NMEALog``,
    /// permanent until the file is corrected.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - pace: The pace of a GPX track without times; its start is also the date of NMEA without one.
    public init(contentsOf path: String, pace: TrackPace = TrackPace()) throws(NoticeError) {
        let bytes = try Self.bytes(of: path)
        // After spaces and a byte order mark.
        if bytes.first(where: { $0 > 32 && ![0xEF, 0xBB, 0xBF].contains($0) }) == UInt8(ascii: "<") {
            let track = try GPXTrack(bytes, named: path, pace: pace)
            self.init(fixes: track.fixes, leftOut: track.leftOut)
        } else {
            let log = try NMEALog(bytes, named: path, day: pace.start)
            self.init(fixes: log.fixes, leftOut: log.badChecksums + log.unreadable)
        }
    }

    /// Creates a track from its parts.
    public init(fixes: [LocationFix], leftOut: Int = 0) {
        self.fixes = fixes
        self.leftOut = leftOut
    }

    static func tooLong(_ file: String) -> NoticeError {
        NoticeError(.invalidNotation, "\(file) has more than \(limit) positions: split it.")
    }
}

/// Reading the file of a track.
extension LocationTrack {
    /// The largest file in bytes. A larger one holds more than a million positions, or none.
    private static let fileLimit = 256 << 20

    static func bytes(of path: String) throws(NoticeError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) { bytes = try RegularFile.bytes(of: path, limit: fileLimit + 1) } catch {
            guard case .system(let number) = error else { throw unsuitable(path) }
            throw NoticeError(
                .fileUnreadable,
                "The track '\(path)' can't be read: look at its name and its permissions.",
                cause: String(cString: strerror(number))
            )
        }
        guard bytes.count <= fileLimit else { throw unsuitable(path) }
        return bytes
    }

    private static func unsuitable(_ path: String) -> NoticeError {
        NoticeError(
            .fileUnreadable,
            "The track '\(path)' is no file, or longer than 256 MiB: name a file with a track."
        )
    }
}
