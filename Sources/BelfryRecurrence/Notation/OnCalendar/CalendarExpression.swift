/// A calendar expression of systemd: systemd.time(7), "Calendar Events".
///
/// Its description is systemd's own normal form, such as `Mon..Fri *-*-* 09:25:00`.
///
/// ```swift
/// let weekdays = try CalendarExpression(parsing: "mon-fri 9:25")
/// print(weekdays)   // Mon..Fri *-*-* 09:25:00
/// ```
public struct CalendarExpression: RecurrenceNotation {
    /// The weekdays; bit 0 is Monday, and `nil` is every day.
    var weekdays: UInt8?
    var year: CalendarChain?
    var month: CalendarChain?
    var day: CalendarChain?
    /// Whether days count from the end of the month (`~`).
    var fromMonthEnd = false
    var hour: CalendarChain? = CalendarChain(links: [.init(start: 0)])
    var minute: CalendarChain? = CalendarChain(links: [.init(start: 0)])
    /// The seconds, in microseconds.
    var second: CalendarChain? = CalendarChain(links: [.init(start: 0)])
    /// The zone that the expression names at its end.
    public internal(set) var zone: String?

    init() {}

    /// Parses an expression. Throws ``RecurrenceError/Code/invalidNotation`` (permanent) with the column of the error.
    public init(parsing text: String) throws(RecurrenceError) {
        self = try CalendarParser.read(text)
    }
}

/// The values of the expression; an empty list allows any.
extension CalendarExpression {
    var months: [Int] { month?.values(through: 12) ?? [] }

    /// The days of the month; negative ones count from its end.
    var days: [Int] {
        guard let day else { return [] }
        return fromMonthEnd ? day.valuesFromTheEnd().map { -$0 } : day.values(through: 31)
    }

    /// The weekdays, 1 (Sunday) to 7.
    var weekdayNumbers: [Int] {
        guard let weekdays else { return [] }
        return (1...7).filter { weekdays >> UInt8(($0 + 5) % 7) & 1 != 0 }
    }
}

extension CalendarExpression {
    public var description: String {
        var text = weekdays.map { Self.text(ofWeekdays: $0) + " " } ?? ""
        text += (year?.text(width: 0) ?? "*") + "-" + (month?.text(width: 2) ?? "*")
        text += (fromMonthEnd ? "~" : "-") + (day?.text(width: 2) ?? "*")
        text += " " + (hour?.text(width: 2) ?? "*") + ":" + (minute?.text(width: 2) ?? "*")
        text += ":" + (second?.text(width: 2, unit: CalendarParser.microseconds) ?? "*")
        return text + (zone.map { " " + $0 } ?? "")
    }

    /// Three or more consecutive days are written as a range.
    private static func text(ofWeekdays mask: UInt8) -> String {
        let names = Array(CalendarNames.shortWeekdays[1...] + CalendarNames.shortWeekdays[..<1])
        var parts: [String] = []
        var day = 0
        while day < 7 {
            var end = day
            while end < 7, mask >> UInt8(end) & 1 != 0 { end += 1 }
            if end - day >= 3 {
                parts.append(names[day] + ".." + names[end - 1])
            } else {
                parts += names[day..<end]
            }
            day = end + 1
        }
        return parts.joined(separator: ",")
    }
}
