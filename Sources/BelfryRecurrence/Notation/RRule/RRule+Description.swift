extension RRule {
    /// The rule alone if there is nothing else, otherwise the lines of iCalendar.
    public var description: String {
        if start == nil, additions.isEmpty, exceptions.isEmpty, rules.count == 1 { return rules[0].description }
        var lines: [String] = []
        if let start { lines.append(Self.line("DTSTART", [start])) }
        lines += rules.map { "RRULE:\($0)" }
        // The parameters of a line apply to all of its dates, so dates with other parameters get their own line.
        for (name, values) in [("RDATE", additions), ("EXDATE", exceptions)] {
            var rest = values[...]
            while let first = rest.first {
                let alike = rest.prefix { $0.isDate == first.isDate && $0.clock == first.clock }
                lines.append(Self.line(name, Array(alike)))
                rest = rest.dropFirst(alike.count)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the line of dates that are alike: they share its parameters.
    package static func line(_ name: String, _ values: [DateValue]) -> String {
        var line = name
        if case .zone(let zone) = values[0].clock { line += ";TZID=" + parameter(zone) }
        if values[0].isDate { line += ";VALUE=DATE" }
        return line + ":" + values.map(\.description).joined(separator: ",")
    }

    /// Returns the value of a parameter (RFC 5545, 3.2), quoted if it contains a comma, a colon or a semicolon.
    private static func parameter(_ value: String) -> String {
        value.utf8.contains { ",:;".utf8.contains($0) } ? "\"\(value)\"" : value
    }
}

extension RRule.Rule: CustomStringConvertible {
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        switch end {
        case .count(let count): parts.append("COUNT=\(count)")
        case .until(let date): parts.append("UNTIL=\(date)")
        case nil: break
        }
        let lists = [
            ("BYMONTH", months), ("BYWEEKNO", weekNumbers), ("BYYEARDAY", yearDays), ("BYMONTHDAY", monthDays),
        ]
        for (name, values) in lists where !values.isEmpty { parts.append(Self.part(name, values)) }
        if !weekdays.isEmpty { parts.append("BYDAY=" + weekdays.map(\.description).joined(separator: ",")) }
        let times = [("BYHOUR", hours), ("BYMINUTE", minutes), ("BYSECOND", seconds), ("BYSETPOS", positions)]
        for (name, values) in times where !values.isEmpty { parts.append(Self.part(name, values)) }
        if weekStart != 2 { parts.append("WKST=\(RRule.Weekday.names[weekStart - 1])") }
        if skip != .omit { parts = ["RSCALE=GREGORIAN"] + parts + ["SKIP=\(skip.rawValue)"] }
        return parts.joined(separator: ";")
    }

    private static func part(_ name: String, _ values: [Int]) -> String {
        name + "=" + values.map(String.init).joined(separator: ",")
    }
}

extension RRule.Weekday: CustomStringConvertible {
    static let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

    public var description: String { (ordinal.map(String.init) ?? "") + Self.names[weekday - 1] }
}

extension RRule.DateValue: CustomStringConvertible {
    public var description: String {
        let text = LocalDate(secondsAtUTC: local).compact
        return isDate ? String(text.prefix(8)) : text + (clock == .utc ? "Z" : "")
    }
}
