public import Belfry

/// A track from a file, whichever of the two forms it has.
///
/// ```swift
/// let track = try LocationTrack(contentsOf: "/home/me/walk.gpx")
/// print(track.fixes.count, track.leftOut)
/// ```
public struct LocationTrack: Sendable, Hashable {
    /// In the order of the file, with the times that they were recorded at.
    public var fixes: [LocationFix]
    /// What was left out: points without a time among others with one, sentences with a bad checksum or without sense.
    public var leftOut: Int

    /// The longest track that is read: a million positions, in 48 MB. A day at one a second is 86,400.
    public static let limit = 1_000_000
    /// What one unit of dilution of precision is taken for, in metres: the usual error of a receiver's ranges.
    static let metresOfDilution = 5.0

    /// Reads GPX, where the file begins with `<`, or else NMEA 0183. Throws as ``GPXTrack`` and ``NMEALog`` do.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - pace: How a GPX track without times is walked; its start is also the date of NMEA that names none.
    public init(contentsOf path: String, pace: TrackPace = TrackPace()) throws(NoticeError) {
        if try TrackFile.isMarkup(path) {
            let track = try GPXTrack(contentsOf: path, pace: pace)
            self.init(fixes: track.fixes, leftOut: track.leftOut)
        } else {
            let log = try NMEALog(contentsOf: path, day: pace.start)
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
