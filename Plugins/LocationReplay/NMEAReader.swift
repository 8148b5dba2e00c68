public import Belfry
import BelfryRecurrence
public import FoundationEssentials

/// Reads NMEA 0183 line by line: positions from GGA and RMC sentences of any talker, the date from RMC and ZDA.
///
/// Sentences of the same second and fraction form one position. Its accuracy is the dilution of precision of the newest
/// GGA times 5 m, or unknown without one. Sentences with a wrong or missing checksum are ignored. Nothing is reported
/// until the date is known.
///
/// ```swift
/// var reader = NMEAReader()
/// while let line = readLine() {
///     if let fix = reader.read(line) { print(fix) }
/// }
/// ```
public struct NMEAReader: Sendable {
    /// The number of sentences whose checksum is wrong or missing.
    public private(set) var badChecksums = 0
    /// The number of lines that are not sentences, and of sentences with a correct checksum but invalid content.
    public private(set) var unreadable = 0
    /// The start of the current day, in seconds since 1970 in UTC.
    private var midnight: Int?
    /// The first date in the log minus the one that was counted until then, in seconds; nil until there is one.
    private(set) var dateCorrection: Int?
    private var lastTimeOfDay: Double?
    private var lastReported: Double?
    private var dilution: Double?

    /// Creates a reader.
    ///
    /// - Parameter day: The date until a sentence contains another one.
    public init(day: Date? = nil) {
        let seconds = day?.timeIntervalSince1970 ?? .nan
        guard seconds.magnitude < 1e12 else { return }
        midnight = Int((seconds / 86_400).rounded(.down)) * 86_400
    }

    /// Returns the position that this line completes, if any. The line terminator is optional.
    public mutating func read(_ line: String) -> LocationFix? { read(Array(line.utf8)[...]) }

    /// Reads a line given as bytes.
    public mutating func read(_ line: ArraySlice<UInt8>) -> LocationFix? {
        guard line.contains(where: { $0 > 32 }) else { return nil }
        switch NMEASentence.parse(line) {
        case .failure(.noSentence):
            unreadable += 1
            return nil
        case .failure(.badChecksum):
            badChecksums += 1
            return nil
        case .success(let sentence): return take(sentence)
        }
    }

    private mutating func take(_ sentence: NMEASentence) -> LocationFix? {
        switch sentence.kind {
        case "GGA": return takeGGA(sentence)
        case "RMC": return takeRMC(sentence)
        case "ZDA":
            guard let day = sentence.number(2), let month = sentence.number(3), let year = sentence.number(4),
                let seconds = InternetTime.seconds(year: year, month: month, day: day),
                let time = sentence.timeOfDay(1)
            else { return nil }
            setDate(seconds, at: time)
            return nil
        default: return nil
        }
    }

    /// Reads `GGA,time,latitude,N,longitude,E,quality,satellites,dilution,…`; a quality of 0 means no position.
    private mutating func takeGGA(_ sentence: NMEASentence) -> LocationFix? {
        // Midnight passes without a position too.
        if let time = sentence.timeOfDay(1) { countMidnight(before: time) }
        guard let quality = sentence.number(6), quality > 0 else {
            dilution = nil
            return nil
        }
        dilution = sentence.decimal(8).flatMap { $0 > 0 ? $0 : nil }
        guard let time = sentence.timeOfDay(1), let place = sentence.coordinates(2) else {
            unreadable += 1
            return nil
        }
        return fix(place, time)
    }

    /// Continues with the next day if the time has passed midnight since the last sentence.
    private mutating func countMidnight(before time: Double) {
        if let last = lastTimeOfDay, time < last - 43_200, let midnight { self.midnight = midnight + 86_400 }
        lastTimeOfDay = time
    }

    private mutating func setDate(_ date: Int, at time: Double) {
        countMidnight(before: time)
        if dateCorrection == nil, let midnight { dateCorrection = date - midnight }
        midnight = date
    }

    /// Reads `RMC,time,A,latitude,N,longitude,E,speed,course,ddmmyy,…`; a status of V means no position.
    private mutating func takeRMC(_ sentence: NMEASentence) -> LocationFix? {
        guard sentence[2] == "A" else { return nil }
        guard let time = sentence.timeOfDay(1), let place = sentence.coordinates(3), let date = sentence.number(9),
            // The year has two digits: satellite navigation began in 1980.
            let day = InternetTime.seconds(
                year: date % 100 < 80 ? 2000 + date % 100 : 1900 + date % 100,
                month: date / 100 % 100,
                day: date / 10_000
            )
        else {
            unreadable += 1
            return nil
        }
        setDate(day, at: time)
        return fix(place, time)
    }

    private mutating func fix(_ place: (latitude: Double, longitude: Double), _ time: Double) -> LocationFix? {
        guard let midnight else { return nil }
        let seconds = Double(midnight) + time
        // This is the other sentence of the same position.
        guard seconds != lastReported else { return nil }
        lastReported = seconds
        return LocationFix(
            latitude: place.latitude,
            longitude: place.longitude,
            accuracy: dilution.map { $0 * LocationTrack.metersOfDilution },
            date: Date(timeIntervalSince1970: seconds)
        )
    }
}

/// All positions of an NMEA 0183 file, in the order of the file.
///
/// ```swift
/// let log = try NMEALog(contentsOf: "/home/me/receiver.nmea")
/// print("\(log.fixes.count) positions, \(log.badChecksums) sentences with a bad checksum")
/// ```
public struct NMEALog: Sendable, Hashable {
    /// The positions, in the order of the log.
    public private(set) var fixes: [LocationFix] = []
    /// The number of sentences with a wrong or missing checksum.
    public private(set) var badChecksums = 0
    /// The number of unreadable lines and sentences.
    public private(set) var unreadable = 0

    // The standard's own limit is 82 bytes.
    private static let longestLine = 1_024

    /// Reads a file with up to ``LocationTrack/limit`` positions.
    ///
    /// Throws, permanently until the file is corrected, ``Belfry/NoticeError/Code/fileUnreadable``, and
    /// ``Belfry/NoticeError/Code/invalidNotation`` if the file contains no position, or too many.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - day: The date if the file contains none. Positions before the first date in the file count back from it.
    public init(contentsOf path: String, day: Date = Date(timeIntervalSince1970: 0)) throws(NoticeError) {
        try self.init(try LocationTrack.bytes(of: path), named: path, day: day)
    }

    init(_ bytes: [UInt8], named name: String, day: Date) throws(NoticeError) {
        let lines = Lines(rest: bytes[...])
        var reader = NMEAReader(day: Self.firstDay(of: lines) ?? day)
        for line in lines {
            guard line.count <= Self.longestLine else {
                unreadable += 1
                continue
            }
            guard let fix = reader.read(line) else { continue }
            guard fixes.count < LocationTrack.limit else { throw LocationTrack.tooLong(name) }
            fixes.append(fix)
        }
        badChecksums = reader.badChecksums
        unreadable += reader.unreadable
        guard !fixes.isEmpty else {
            throw NoticeError(
                .invalidNotation,
                "\(name) has no position: NMEA 0183 with GGA or RMC sentences is expected, or GPX. Sentences with "
                    + "a wrong checksum or none: \(badChecksums); lines that are no sentences: \(unreadable)."
            )
        }
    }

    /// Returns the day on which a log begins; nil if it contains no date.
    private static func firstDay(of lines: Lines) -> Date? {
        // The days until the first date count from 1970.
        var reader = NMEAReader(day: Date(timeIntervalSince1970: 0))
        for line in lines where line.count <= longestLine {
            _ = reader.read(line)
            if let correction = reader.dateCorrection { return Date(timeIntervalSince1970: Double(correction)) }
        }
        return nil
    }
}

/// The lines of a text, without their line feeds.
private struct Lines: Sequence, IteratorProtocol {
    var rest: ArraySlice<UInt8>

    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != 10 }
        rest = rest[line.endIndex...].dropFirst()
        return line
    }
}
