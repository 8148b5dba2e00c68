package import FoundationEssentials
import Synchronization

/// What a calendar other than the Gregorian says of a day. BelfryCalendars has it from ICU.
///
/// Days are counted from 1 January 1970 on; months, days and weekdays begin with 1.
package protocol ForeignCalendar: Sendable {
    func value(of field: ForeignCalendarField, on day: Int) -> Int
    /// The greatest value in the month or year that the day is in.
    func lastValue(of field: ForeignCalendarField, on day: Int) -> Int
    /// The greatest value that there ever is.
    func largestValue(of field: ForeignCalendarField) -> Int
}

package enum ForeignCalendarField: Sendable, CaseIterable {
    case era, year, month, day, weekday, dayOfYear, weekOfMonth, weekOfYear, yearForWeekOfYear
    /// 1 in a month that is there in some years only, and has the number of the one before it.
    case isLeapMonth
}

/// Makes calendars.
package protocol ForeignCalendarSource: Sendable {
    var isAvailable: Bool { get }
    /// Throws ``RecurrenceError/Code/calendarUnavailable`` where it does not know the calendar.
    func calendar(_ identifier: Calendar.Identifier, _ weeks: WeekRules) throws(RecurrenceError) -> any ForeignCalendar
}

/// Where this process has its calendars from.
package enum ForeignCalendars {
    private static let source = Mutex<(any ForeignCalendarSource)?>(nil)

    package static func take(from other: any ForeignCalendarSource) { source.withLock { $0 = other } }

    static var isAvailable: Bool { source.withLock(\.self)?.isAvailable ?? false }

    package static func calendar(
        _ identifier: Calendar.Identifier,
        _ weeks: WeekRules
    ) throws(RecurrenceError) -> any ForeignCalendar {
        guard let source = source.withLock(\.self) else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is computed by ICU, which this program does without: take the product "
                    + "BelfryCalendars, and call OtherCalendars.enable() when the program starts."
            )
        }
        return try source.calendar(identifier, weeks)
    }
}
