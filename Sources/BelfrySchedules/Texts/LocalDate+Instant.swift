import Belfry
import BelfryRecurrence
import FoundationEssentials

extension LocalDate {
    var fields: DateFields {
        DateFields(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Returns the instant at which the clocks of a zone show this valid date. As with calendar triggers, a time that a
    /// clock change skips is shifted forward, and the first of a repeated time counts.
    func instant(in zone: ZoneRules) -> Date {
        Date(timeIntervalSince1970: Double(zone.instant(ofLocal: secondsAtUTC)))
    }
}
