import Belfry
import BelfryRecurrence
import Foundation

/// A DATE or DATE-TIME of an iCalendar file.
struct CalendarTime {
    let local: LocalDate
    /// Nil floats.
    let zone: ZoneRules?
    let isDate: Bool

    /// Nil, with the reason, where it can't be read.
    static func read(_ line: CalendarLine, _ zones: CalendarZones) -> Result<CalendarTime, CalendarReason> {
        read(line.value, line, zones)
    }

    /// One of the values of a line.
    static func read(
        _ value: String,
        _ line: CalendarLine,
        _ zones: CalendarZones
    ) -> Result<CalendarTime, CalendarReason> {
        guard let name = line.parameters["TZID"], !value.trimmed.hasSuffix("Z") else { return read(value, zone: nil) }
        guard let zone = zones.rules(named: name) else {
            return .failure(
                CalendarReason(
                    "the zone '\(name.clipped)' is not known; write a name of the zone data, such as Europe/Berlin, or "
                        + "define it by yearly changes in a VTIMEZONE"
                )
            )
        }
        return read(value, zone: zone)
    }

    /// - Parameter zone: where the value doesn't say that it is one of UTC; nil floats.
    static func read(_ value: String, zone: ZoneRules?) -> Result<CalendarTime, CalendarReason> {
        let text = value.trimmed
        let isDate = text.count == 8
        let digits = text.filter { $0.isASCII && $0.isNumber }
        let isUTC = text.hasSuffix("Z")
        guard digits.count == (isDate ? 8 : 14), text.count == (isDate ? 8 : isUTC ? 16 : 15) else {
            return .failure(CalendarReason("'\(value.clipped)' is no date such as 20261224T180000"))
        }
        func number(_ from: Int, _ count: Int) -> Int { Int(String(digits.dropFirst(from).prefix(count))) ?? 0 }
        var local = LocalDate(year: number(0, 4), month: number(4, 2), day: number(6, 2))
        if !isDate {
            (local.hour, local.minute, local.second) = (number(8, 2), number(10, 2), min(number(12, 2), 59))
        }
        if let fault = local.fault { return .failure(CalendarReason("'\(value.clipped)' can't be: \(fault)")) }
        if isUTC { return .success(CalendarTime(local: local, zone: .utc, isDate: false)) }
        return .success(CalendarTime(local: local, zone: zone, isDate: isDate))
    }

    func instant(or system: ZoneRules) -> Date? { (try? local.instant(in: zone ?? system)) ?? nil }

    /// As a line of a rule.
    func line(_ name: String) -> String { "\(name)\(parameters):\(text)" }

    var parameters: String {
        zone.map { $0.identifier == "UTC" ? "" : ";TZID=\(RRule.parameter($0.identifier))" } ?? ""
    }

    var text: String { local.compact + (zone?.identifier == "UTC" ? "Z" : "") }
}

struct CalendarReason: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

/// A DURATION (3.3.6): days are days of the calendar, the rest is exact.
struct CalendarDuration {
    var days = 0
    var seconds = 0

    init(days: Int = 0, seconds: Int = 0) {
        self.days = days
        self.seconds = seconds
    }

    /// Between two times by their clocks, where both have the same one, so that what is moved by days keeps its time of day.
    init(from first: CalendarTime, to second: CalendarTime, or system: ZoneRules) {
        var seconds = second.local.secondsAtUTC - first.local.secondsAtUTC
        if first.zone != second.zone, let from = first.instant(or: system), let to = second.instant(or: system) {
            seconds = Int64(to.timeIntervalSince(from))
        }
        self.init(days: Int(seconds / 86_400), seconds: Int(seconds % 86_400))
    }

    init?(_ text: String) {
        var rest = text.trimmed.uppercased()[...]
        let sign = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        guard rest.first == "P" else { return nil }
        rest.removeFirst()
        var isTime = false
        var isEmpty = true
        while let first = rest.first {
            if first == "T" {
                guard !isTime else { return nil }
                isTime = true
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest.removeFirst(digits.count)
            guard digits.count <= 8, let number = Int(digits), let unit = rest.popFirst() else { return nil }
            isEmpty = false
            switch (unit, isTime) {
            case ("W", false): days += sign * number * 7
            case ("D", false): days += sign * number
            case ("H", true): seconds += sign * number * 3600
            case ("M", true): seconds += sign * number * 60
            case ("S", true): seconds += sign * number
            default: return nil
            }
        }
        guard !isEmpty, days.magnitude <= 36_500, seconds.magnitude <= 36_500 * 86_400 else { return nil }
    }

    static func + (left: Self, right: Self) -> Self {
        Self(days: left.days + right.days, seconds: left.seconds + right.seconds)
    }
}
