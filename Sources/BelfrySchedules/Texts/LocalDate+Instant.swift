import Belfry
package import BelfryRecurrence
import FoundationEssentials

extension LocalDate {
    /// The error in the numbers; nil if they are valid.
    package var rangeError: String? {
        guard (1...9999).contains(year) else { return "the year \(year) is not in 1–9999" }
        guard (1...12).contains(month) else { return "the month \(month) is not in 1–12" }
        let days = Self.length(ofMonth: month, in: year)
        guard (1...days).contains(day) else { return "the day \(day) is not in 1–\(days), the days of that month" }
        guard (0...23).contains(hour) else { return "the hour \(hour) is not in 0–23" }
        guard (0...59).contains(minute) else { return "the minute \(minute) is not in 0–59" }
        guard (0...59).contains(second) else { return "the second \(second) is not in 0–59" }
        return nil
    }

    var fields: DateFields {
        DateFields(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Returns the instant at which the clocks of a zone show this valid date. As with calendar triggers, a time that a
    /// clock change skips is shifted forward, and the first of a repeated time counts.
    func instant(in zone: ZoneRules) -> Date {
        Date(timeIntervalSince1970: Double(zone.instant(ofLocal: secondsAtUTC)))
    }
}
