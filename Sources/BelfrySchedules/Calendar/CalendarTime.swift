import Belfry
import BelfryRecurrence
import FoundationEssentials

/// An error in an iCalendar file, with its path and offset.
struct CalendarError: Error {
    let message: String
    let path: String
    let offset: Int
}

/// A DATE or DATE-TIME of an iCalendar file.
struct CalendarTime {
    private(set) var local: LocalDate
    private(set) var isDate: Bool
    /// The zone; nil if the time floats.
    let zone: ZoneRules?
    /// The zone of times that float.
    private let system: ZoneRules

    /// Reads a time.
    ///
    /// - Parameters:
    ///   - value: One of the values of the line; nil for the whole value.
    ///   - path: The name of the component in errors.
    init(
        _ line: CalendarLine,
        _ value: String? = nil,
        of path: String,
        in zones: CalendarZones
    ) throws(CalendarError) {
        let value = value ?? line.value
        let isUTC = value.trimmed.hasSuffix("Z")
        func error(_ message: String) -> CalendarError {
            CalendarError(message: message, path: "\(path).\(line.name)", offset: line.offset)
        }
        guard let local = LocalDate(calendarText: value.trimmed) else {
            throw error("'\(value.clipped)' is no date such as 20261224T180000")
        }
        if let rangeError = local.rangeError { throw error("'\(value.clipped)' can't be: \(rangeError)") }
        self.local = local
        isDate = value.trimmed.count == 8
        system = zones.system
        // A bare date is that day in any zone (RFC 5545, 3.2.19).
        let name = isUTC || isDate ? nil : line.parameters["TZID"]
        zone = isUTC ? .utc : name.flatMap(zones.rules)
        if let name, zone == nil {
            throw error(
                "the zone '\(name.clipped)' is not known; write a name of the zone data, such as Europe/Berlin, or "
                    + "define it by yearly changes in a VTIMEZONE"
            )
        }
    }

    var instant: Date { local.instant(in: zone ?? system) }

    /// Returns the occurrence that another time names: a bare date is that day at this time of day, in the same zone.
    func at(_ other: CalendarTime) -> CalendarTime {
        guard other.isDate else { return other }
        var time = self
        (time.local.year, time.local.month, time.local.day) = (other.local.year, other.local.month, other.local.day)
        time.isDate = false
        return time
    }

    /// Returns the date and time that a clock in the zone of another time shows.
    fileprivate func local(onClockOf other: CalendarTime) -> LocalDate {
        guard zone != other.zone else { return local }
        let seconds = Int64(instant.timeIntervalSince1970)
        return LocalDate(secondsAtUTC: seconds + Int64((other.zone ?? other.system).offset(at: seconds)))
    }

    /// Returns the time as a line of a rule.
    func line(_ name: String) -> String {
        var date = RRule.DateValue(floating: local.secondsAtUTC)
        if let zone { date.clock = zone.identifier == "UTC" ? .utc : .zone(zone.identifier) }
        return RRule.line(name, [date])
    }
}

/// The DURATION of iCalendar (3.3.6), in which days are calendar days, and the rest is exact.
extension RecurrenceTrigger.Offset {
    /// Creates the duration between two times on the clock of a rule. It moves a date of the rule to another day first,
    /// and then within that day, so that all dates are moved to the same time of day.
    init(from first: CalendarTime, to second: CalendarTime, onClockOf rule: CalendarTime) {
        let times = [first, second].map { $0.local(onClockOf: rule) }
        let seconds = times.map { $0.hour * 3600 + $0.minute * 60 + $0.second }
        let difference = Int(times[1].secondsAtUTC - times[0].secondsAtUTC)
        self.init(days: (difference - (seconds[1] - seconds[0])) / 86_400, seconds: seconds[1] - seconds[0])
    }

    /// The longest duration, 100 years.
    private static let longest = (days: 36_500, seconds: 36_500 * 86_400)

    /// Reads a duration.
    ///
    /// - Parameters:
    ///   - path: The name of the component in errors.
    ///   - example: A duration that can be written instead.
    init(_ line: CalendarLine, of path: String, example: String) throws(CalendarError) {
        func error(_ message: String) -> CalendarError {
            let message = "'\(line.value.clipped)' \(message)"
            return CalendarError(message: message, path: "\(path).\(line.name)", offset: line.offset)
        }
        guard let (days, seconds) = Self.sums(of: line.value) else {
            throw error("is no duration such as \(example)")
        }
        guard days.magnitude <= Self.longest.days, seconds.magnitude <= Self.longest.seconds else {
            throw error("is too long; a duration is 100 years at most")
        }
        self.init(days: days, seconds: seconds)
    }

    /// Returns the days and seconds of a duration, which are too many if one of its numbers is; nil if it is none.
    private static func sums(of text: String) -> (days: Int, seconds: Int)? {
        var (days, seconds) = (0, 0)
        var rest = text.uppercased()[...]
        let sign = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        guard rest.popFirst() == "P" else { return nil }
        var isTime = false
        var isEmpty = true
        while let first = rest.first {
            if first == "T", !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest.removeFirst(digits.count)
            guard !digits.isEmpty, let unit = rest.popFirst() else { return nil }
            isEmpty = false
            // Too long in any unit, and small enough to be added as often as a file has room for ten digits and a unit.
            let number = min(Int(digits) ?? .max, longest.seconds + 1)
            switch (unit, isTime) {
            case ("W", false): days += sign * number * 7
            case ("D", false): days += sign * number
            case ("H", true): seconds += sign * number * 3600
            case ("M", true): seconds += sign * number * 60
            case ("S", true): seconds += sign * number
            default: return nil
            }
        }
        return isEmpty ? nil : (days, seconds)
    }

    static func + (left: Self, right: Self) -> Self {
        Self(days: left.days + right.days, seconds: left.seconds + right.seconds)
    }

    static func * (left: Self, count: Int) -> Self { Self(days: left.days * count, seconds: left.seconds * count) }
}
