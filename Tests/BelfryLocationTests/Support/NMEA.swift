import Foundation

/// Sentences as a receiver writes them.
enum NMEA {
    static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n"
    }

    /// GGA and RMC of one position, at a time of 21 November 2026 unless told otherwise.
    static func epoch(
        _ latitude: Double,
        _ longitude: Double,
        time: String = "120000.00",
        date: String = "211126",
        dilution: String = "0.9"
    ) -> String {
        let place = coordinates(latitude, longitude)
        return sentence("GPGGA,\(time),\(place),1,08,\(dilution),45.0,M,46.9,M,,")
            + sentence("GPRMC,\(time),A,\(place),010.0,090.0,\(date),,,A")
    }

    static func coordinates(_ latitude: Double, _ longitude: Double) -> String {
        "\(degrees(latitude, 2)),\(latitude < 0 ? "S" : "N"),\(degrees(longitude, 3)),\(longitude < 0 ? "W" : "E")"
    }

    private static func degrees(_ value: Double, _ width: Int) -> String {
        let whole = Int(value.magnitude)
        let minutes = (value.magnitude - Double(whole)) * 60
        let degrees = String(repeating: "0", count: width - String(whole).count) + String(whole)
        return degrees + String(format: "%07.4f", minutes)
    }

    /// The time and date of now, which real services compare with their own.
    static func now() -> (time: String, date: String) {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return (
            String(format: "%02d%02d%02d.00", parts.tm_hour, parts.tm_min, parts.tm_sec),
            String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
        )
    }
}
