import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The fields used here of one line from gpsd (gpsd_json(5)).
struct GPSDReport: Decodable, Sendable {
    struct Device: Decodable, Sendable { var path: String? }

    /// VERSION, DEVICES, TPV, ERROR and others.
    let kind: String
    var release: String?
    var devices: [Device]?
    var mode: Int?
    var time: String?
    var latitude: Double?
    var longitude: Double?
    /// The errors in meters: horizontal, east-west, and north-south.
    var horizontalError: Double?
    var longitudeError: Double?
    var latitudeError: Double?

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case release, devices, mode, time
        case latitude = "lat"
        case longitude = "lon"
        case horizontalError = "eph"
        case longitudeError = "epx"
        case latitudeError = "epy"
    }

    /// Returns nil if the line is not a report. Of other classes only the class is read: in them, fields of the same
    /// names mean other things.
    init?(_ line: ArraySlice<UInt8>) {
        guard let report = try? JSONDecoder().decode(GPSDReport.self, from: Data(line)) else { return nil }
        self = report
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(String.self, forKey: .kind)
        switch kind {
        case "VERSION": release = try container.decode(String.self, forKey: .release)
        case "DEVICES": devices = try container.decodeIfPresent([Device].self, forKey: .devices) ?? []
        case "TPV":
            mode = try container.decodeIfPresent(Int.self, forKey: .mode)
            time = try container.decodeIfPresent(String.self, forKey: .time)
            latitude = try container.decodeIfPresent(Double.self, forKey: .latitude)
            longitude = try container.decodeIfPresent(Double.self, forKey: .longitude)
            horizontalError = try container.decodeIfPresent(Double.self, forKey: .horizontalError)
            longitudeError = try container.decodeIfPresent(Double.self, forKey: .longitudeError)
            latitudeError = try container.decodeIfPresent(Double.self, forKey: .latitudeError)
        default: break
        }
    }

    /// The receiver's position; nil if it has none, and for other reports.
    func fix(at now: Date, _ times: inout ReportTimes) -> LocationFix? {
        guard kind == "TPV", let mode, mode >= 2, let latitude, let longitude else { return nil }
        let seconds = time.flatMap { InternetTime.seconds(of: Array($0.utf8)[...]) }
        return LocationFix(
            latitude: latitude,
            longitude: longitude,
            accuracy: accuracy,
            date: times.time(seconds.map { Date(timeIntervalSince1970: $0) }, at: now)
        )
    }

    private var accuracy: Double? {
        if let horizontalError, horizontalError > 0 { return horizontalError }
        guard let longitudeError, let latitudeError else { return nil }
        let error = (longitudeError * longitudeError + latitudeError * latitudeError).squareRoot()
        return error > 0 && error.isFinite ? error : nil
    }
}

/// Assigns dates to reports without one, and keeps them in order with dates from the receiver's clock.
struct ReportTimes {
    /// The date given to the last report without its own.
    private var given: Date?

    /// - Parameter own: The receiver's date, or nil if it has none.
    mutating func time(_ own: Date?, at now: Date) -> Date {
        guard let own else {
            given = now
            return now
        }
        // This machine's clock may have been set back since.
        return given.map { max(own, min($0, now)) } ?? own
    }
}
