import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The zones of an iCalendar file: by name from the zone data, or else as the file defines them (VTIMEZONE, RFC 5545,
/// 3.6.5). Outlook defines its own names in this way.
struct CalendarZones {
    private var defined: [String: ZoneRules] = [:]
    /// The zone of times that float.
    let system: ZoneRules

    init(_ definitions: [CalendarFile.Component], or system: ZoneRules) {
        self.system = system
        for definition in definitions {
            guard let name = definition.line("TZID") else { continue }
            let zone =
                definition.line("X-LIC-LOCATION").flatMap { Self.known($0.value) }
                ?? Self.rule(of: definition).flatMap { try? ZoneRules.named($0) }
            // It is a text with escapes, but parameters have none. Some programs write it alike in both.
            for name in [name.value, name.text] { defined[name] = zone }
        }
    }

    func rules(named name: String) -> ZoneRules? { Self.known(name) ?? defined[name] }

    /// Returns a known zone. Some programs prefix the zone's name: /freeassociation.sourceforge.net/Europe/Berlin.
    private static func known(_ name: String) -> ZoneRules? {
        // A file may have any name, and each attempt looks for a file of the zone data.
        guard name.utf8.count <= 255 else { return nil }
        let parts = name.split(separator: "/").map(String.init)
        // No zone has more parts than America/Argentina/Buenos_Aires.
        for start in parts.indices.suffix(3) {
            if let zone = try? ZoneRules.named(parts[start...].joined(separator: "/")) { return zone }
        }
        return nil
    }
}

extension CalendarZones {
    /// Returns the present and future time of a VTIMEZONE as a POSIX rule, such as `<+01>-1<+02>,M3.5.0/2,M10.5.0/3`.
    /// Past alarms don't fire, so earlier years are ignored. Nil if the future changes are not yearly, or can't be
    /// read. Yearly changes that end later count as yearly.
    private static func rule(of definition: CalendarFile.Component) -> String? {
        let now = Int64(Date().timeIntervalSince1970)
        let observances = definition.parts.compactMap { Observance($0, now: now) }
        guard !observances.isEmpty, observances.count == definition.parts.count else { return nil }
        let isFixed = observances.allSatisfy { $0.offset == observances[0].offset }
        guard isFixed || !observances.contains(where: { $0.yearly == nil && $0.lastOnset > now }) else { return nil }
        func current(isDaylight: Bool) -> Observance? {
            observances.filter { $0.isDaylight == isDaylight && $0.yearly != nil }.max { $0.lastOnset < $1.lastOnset }
        }
        if let daylight = current(isDaylight: true), let standard = current(isDaylight: false),
            let begin = daylight.yearly, let end = standard.yearly
        {
            return name(standard.offset) + name(daylight.offset) + ",\(begin),\(end)"
        }
        // One of the two no longer begins, so the other applies permanently.
        let last = observances.max {
            ($0.yearly == nil ? 0 : 1, $0.lastOnset) < ($1.yearly == nil ? 0 : 1, $1.lastOnset)
        }
        guard let last, !last.isListed else { return nil }
        return name(last.offset)
    }

    /// Returns a name and an offset; POSIX offsets count west of Greenwich.
    private static func name(_ offset: Int) -> String {
        let parts = LocalDate.text(ofOffset: offset).split(separator: ":")
        let name = parts[0] + (parts[1] == "00" ? "" : parts[1])
        return "<\(name)>\(offset < 0 ? "" : "-")\(clock(Int(offset.magnitude)))"
    }

    fileprivate static func clock(_ seconds: Int) -> String {
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        let count = parts[2] != 0 ? 3 : parts[1] != 0 ? 2 : 1
        return parts.prefix(count).map(String.init).joined(separator: ":")
    }
}

/// A STANDARD or DAYLIGHT part of a VTIMEZONE.
private struct Observance {
    let isDaylight: Bool
    /// Seconds ahead of UTC.
    let offset: Int
    /// Its yearly beginning, which has not ended yet, in the form of a POSIX rule; nil if it has none.
    let yearly: String?
    /// The last known beginning in seconds since 1970, as if the zone were UTC.
    let lastOnset: Int64
    /// Whether it begins at listed dates (RDATE).
    let isListed: Bool

    /// - Parameter now: seconds since 1970.
    init?(_ component: CalendarFile.Component, now: Int64) {
        isDaylight = component.kind == "DAYLIGHT"
        guard let offset = component.line("TZOFFSETTO").flatMap({ Self.offset($0.value) }),
            let start = component.line("DTSTART").flatMap({ LocalDate(calendarText: $0.value) }),
            start.rangeError == nil
        else { return nil }
        self.offset = offset
        isListed = component.line("RDATE") != nil
        guard let line = component.line("RRULE") else {
            yearly = nil
            lastOnset = start.secondsAtUTC
            return
        }
        guard let rule = try? RRule(parsing: line.value), rule.rules.count == 1 else { return nil }
        switch rule.rules[0].end {
        case .until(let date)? where date.local <= now:
            yearly = nil
            lastOnset = date.local
        case .count?: return nil
        case .until?, nil:
            guard let day = Self.day(rule.rules[0], start) else { return nil }
            let time = start.hour * 3600 + start.minute * 60 + start.second
            yearly = "\(day)/\(CalendarZones.clock(time))"
            lastOnset = start.secondsAtUTC
        }
    }

    /// Parses `+0530` or `-001234`.
    private static func offset(_ text: String) -> Int? {
        var reader = DigitReader(Array(text.trimmed.utf8)[...])
        let isWest = reader.take("-")
        guard isWest || reader.take("+"), let hours = reader.number(2), hours < 24,
            let minutes = reader.number(2), minutes < 60,
            let seconds = reader.isAtEnd ? 0 : reader.number(2), seconds < 60, reader.isAtEnd
        else { return nil }
        let offset = hours * 3600 + minutes * 60 + seconds
        return isWest ? -offset : offset
    }

    /// Returns the day of a yearly rule: a weekday of a month (`M3.5.0`), or a date (`J80`, without 29 February).
    private static func day(_ rule: RRule.Rule, _ start: LocalDate) -> String? {
        guard rule.frequency == .yearly, rule.interval == 1, rule.months.count <= 1, rule.yearDays.isEmpty,
            rule.weekNumbers.isEmpty, rule.positions.isEmpty, rule.weekdays.count <= 1
        else { return nil }
        let month = rule.months.first ?? start.month
        guard let weekday = rule.weekdays.first else {
            guard rule.monthDays.count <= 1 else { return nil }
            let day = rule.monthDays.first ?? start.day
            guard (1...LocalDate.length(ofMonth: month, in: 2001)).contains(day) else { return nil }
            let dayOfYear = (1..<month).reduce(day) { $0 + LocalDate.length(ofMonth: $1, in: 2001) }
            return "J\(dayOfYear)"
        }
        // Without a month, the first Sunday is that of the year.
        guard !rule.months.isEmpty, let week = week(weekday, rule.monthDays, month) else { return nil }
        return "M\(month).\(week).\(weekday.weekday - 1)"
    }

    /// Returns the ordinal of a weekday in the month, 5 for the last, from its number or a list of seven days.
    private static func week(_ weekday: RRule.Weekday, _ monthDays: [Int], _ month: Int) -> Int? {
        if let ordinal = weekday.ordinal {
            guard monthDays.isEmpty else { return nil }
            return ordinal == -1 ? 5 : (1...4).contains(ordinal) ? ordinal : nil
        }
        // The last seven days of a month have no ordinal from its start, except in February.
        let length = LocalDate.length(ofMonth: month, in: 2001)
        if monthDays.sorted() == Array(length - 6...length) { return 5 }
        return DateFields.weekdayOrdinal(ofDays: monthDays).map { $0 == -1 ? 5 : $0 }
    }
}
