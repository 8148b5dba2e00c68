import Belfry
import BelfryRecurrence
import Foundation

/// When a ticket is for: an instant, or a whole day.
public enum TicketDate: Sendable, Hashable {
    case instant(Date)
    /// Wherever the user is on that day.
    case day(year: Int, month: Int, day: Int)

    /// Reads ISO 8601: `2026-12-24T19:00:00+01:00`, seconds left out or with a fraction, or `2026-12-24` for the whole day.
    /// Throws ``TicketError`` for anything else, for a day or a time that there isn't, and for a time without its zone.
    public init(reading text: String) throws(TicketError) {
        let pattern =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]{1,9})?)?(.*))?/
        // A long text is no date, and nothing is gained by searching it.
        guard text.utf8.count <= 64, let match = text.wholeMatch(of: pattern) else { throw .notADate(text) }
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        let (year, month, day) = (number(match.1), number(match.2), number(match.3))
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        guard year > 0, components.isValidDate(in: calendar), let local = calendar.date(from: components) else {
            throw .noSuchDate(text)
        }
        guard let zone = match.7 else {
            self = .day(year: year, month: month, day: day)
            return
        }
        guard !zone.isEmpty else { throw .noZone(text) }
        self = .instant(local.addingTimeInterval(-Double(try Self.offset(zone, in: text))))
    }

    /// Seconds east of Greenwich: `Z`, `+01:00`, `+0100` or `+01`.
    private static func offset(_ zone: Substring, in text: String) throws(TicketError) -> Int {
        if zone == "Z" || zone == "z" { return 0 }
        guard let match = zone.wholeMatch(of: /([+-])([0-9]{2})(?::?([0-9]{2}))?/) else { throw .notADate(text) }
        let (hours, minutes) = (Int(match.2) ?? 0, match.3.flatMap { Int($0) } ?? 0)
        guard hours < 24, minutes < 60 else { throw .noSuchDate(text) }
        return (match.1 == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// Ten minutes before; for a whole day 8:50, which is ten minutes before it begins for most people.
    public var reminder: any NoticeTrigger {
        switch self {
        case .instant(let date): DateTrigger(date: date.addingTimeInterval(-600))
        case .day(let year, let month, let day):
            CalendarTrigger(
                matching: DateFields(year: year, month: month, day: day, hour: 8, minute: 50),
                repeats: false
            )
        }
    }
}
