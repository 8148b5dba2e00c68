public import Belfry
import BelfryRecurrence
public import FoundationEssentials

/// The track points of a GPX file (version 1.0 or 1.1), in the order of the file, with all tracks and segments joined.
///
/// It reads the latitude, longitude, `time` and `hdop` of each `trkpt`. The accuracy is the dilution times 5 m, or
/// unknown without one. If no point has a time, the track gets times from a pace (``TrackPace``). If only some have
/// one, the others are left out and counted.
///
/// ```swift
/// let walk = try GPXTrack(contentsOf: "/home/me/walk.gpx")
/// let provider = try ReplayLocationProvider(walk.fixes, speed: 60)
/// ```
public struct GPXTrack: Sendable, Hashable {
    /// The positions, in the order of the file.
    public private(set) var fixes: [LocationFix] = []
    /// The number of points left out because they have no time while others do.
    public private(set) var leftOut = 0

    /// Reads a file with up to ``LocationTrack/limit`` points.
    ///
    /// Throws, permanently until the file is corrected, ``Belfry/NoticeError/Code/fileUnreadable``, and
    /// ``Belfry/NoticeError/Code/invalidNotation`` with the line if it is not GPX: broken XML, a coordinate out of
    /// range, an invalid time, no point, or too many.
    public init(contentsOf path: String, pace: TrackPace = TrackPace()) throws(NoticeError) {
        try self.init(try LocationTrack.bytes(of: path), named: path, pace: pace)
    }

    /// Reads a track from memory. `name` appears in errors. Throws ``Belfry/NoticeError/Code/invalidNotation``
    /// (permanent) as for a file.
    public init(_ bytes: [UInt8], named name: String = "GPX", pace: TrackPace = TrackPace()) throws(NoticeError) {
        var reader = GPXReader(xml: try XMLReader(bytes, file: name))
        try reader.read()
        try self.init(reader.points, pace, name)
    }

    private init(_ points: [GPXPoint], _ pace: TrackPace, _ name: String) throws(NoticeError) {
        guard !points.isEmpty else {
            throw NoticeError(
                .invalidNotation,
                "\(name) has no track point (trkpt): a track is expected, not a route or places."
            )
        }
        let hasTimes = points.contains { $0.seconds != nil }
        var time = pace.start.timeIntervalSince1970
        fixes.reserveCapacity(points.count)
        for point in points {
            if hasTimes, point.seconds == nil {
                leftOut += 1
                continue
            }
            if !hasTimes, let before = fixes.last { time += pace.seconds(from: before, to: point) }
            let at = Date(timeIntervalSince1970: point.seconds ?? time)
            fixes.append(
                LocationFix(latitude: point.latitude, longitude: point.longitude, accuracy: point.accuracy, date: at)
            )
        }
    }
}

/// The speed and start date of a track without times.
///
/// ```swift
/// // A tour by bicycle, drawn on a map and so without times.
/// let tour = try GPXTrack(contentsOf: "/home/me/tour.gpx", pace: TrackPace(speed: 5, from: Date()))
/// ```
public struct TrackPace: Sendable, Hashable {
    /// The speed in meters per second.
    public var speed: Double
    /// The date of the first position.
    public var start: Date

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - speed: In meters per second, greater than zero; other values are replaced by a walker's 1.4 m/s.
    ///   - start: The date of the first position.
    public init(speed: Double = 1.4, from start: Date = Date(timeIntervalSince1970: 0)) {
        self.speed = speed > 0 && speed.isFinite ? speed : 1.4
        self.start = start
    }

    fileprivate func seconds(from start: LocationFix, to end: GPXPoint) -> Double {
        let end = EarthPoint(latitude: end.latitude, longitude: end.longitude)
        return EarthPoint(start).distance(to: end) / speed
    }
}

/// One track point as written in the file.
private struct GPXPoint {
    var latitude: Double
    var longitude: Double
    var seconds: Double?
    var accuracy: Double?
}

/// Collects the track points of a document.
private struct GPXReader {
    var xml: XMLReader
    private(set) var points: [GPXPoint] = []
    private var point: GPXPoint?
    private var pointDepth = 0

    init(xml: XMLReader) { self.xml = xml }

    mutating func read() throws(NoticeError) {
        // Only an element without others inside has a value.
        var hasElements = false
        while let event = try xml.next() {
            switch event {
            case .opened(let name, let attributes):
                try open(name, attributes)
                hasElements = false
            case .closed(let name):
                try close(name, hasElements: hasElements)
                hasElements = true
            }
        }
    }

    private mutating func open(_ name: String, _ attributes: XMLAttributes) throws(NoticeError) {
        if xml.depth == 1, name != "gpx" {
            throw xml.error("This is no GPX: its root element is <\(name.prefix(40))>.")
        }
        guard name == "trkpt" else { return }
        guard point == nil else { throw xml.error("A track point is inside of another.") }
        guard points.count < LocationTrack.limit else { throw LocationTrack.tooLong(xml.file) }
        point = GPXPoint(latitude: try number(attributes, "lat", 90), longitude: try number(attributes, "lon", 180))
        pointDepth = xml.depth
    }

    private mutating func close(_ name: String, hasElements: Bool) throws(NoticeError) {
        guard let finished = point else { return }
        if xml.depth == pointDepth, !hasElements {
            try readValue(of: name)
        } else if xml.depth < pointDepth {
            points.append(finished)
            point = nil
        }
    }

    private mutating func readValue(of name: String) throws(NoticeError) {
        guard name == "time" || name == "hdop" else { return }
        let value = try xml.text(of: name).drop { $0 <= 32 }.reversed().drop { $0 <= 32 }.reversed()
        let shown = String(decoding: value.prefix(40), as: UTF8.self)
        if name == "time" {
            guard let seconds = InternetTime.seconds(of: Array(value)[...]) else {
                throw xml.error("'\(shown)' is no time: one like 2026-11-21T12:00:00Z is expected.")
            }
            point?.seconds = seconds
        } else {
            guard let dilution = Double(shown), dilution.isFinite, dilution >= 0 else {
                throw xml.error("'\(shown)' is no dilution of precision: a number is expected.")
            }
            point?.accuracy = dilution > 0 ? dilution * LocationTrack.metersOfDilution : nil
        }
    }

    private func number(_ attributes: XMLAttributes, _ name: String, _ limit: Double) throws(NoticeError) -> Double {
        guard let text = attributes[name] else {
            throw xml.error("A track point has no '\(name)' that can be read.")
        }
        guard let number = Double(text), number.magnitude <= limit else {
            throw xml.error("\(name)=\"\(text.prefix(40))\" is not in -\(Int(limit))…\(Int(limit)).")
        }
        return number
    }
}
