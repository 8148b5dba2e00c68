package import FoundationEssentials
import Synchronization

/// The fields of days in a calendar other than the Gregorian. BelfryCalendars gets them from ICU.
///
/// Days are counted from 1 January 1970; months, days and weekdays begin with 1.
package protocol ForeignCalendar: Sendable {
    func value(of field: ForeignCalendarField, on day: Int) -> Int
    /// The greatest value in the month or year that contains the day.
    func lastValue(of field: ForeignCalendarField, on day: Int) -> Int
    /// The greatest value that ever occurs.
    func largestValue(of field: ForeignCalendarField) -> Int
}

package enum ForeignCalendarField: Sendable, CaseIterable {
    case era, year, month, day, weekday, dayOfYear, weekOfMonth, weekOfYear, yearForWeekOfYear
    /// 1 in a leap month, which only some years have and which has the number of the previous month.
    case isLeapMonth
}

/// A source of calendars other than the Gregorian.
package protocol ForeignCalendarSource: Sendable {
    var isAvailable: Bool { get }
    /// Throws ``RecurrenceError/Code/calendarUnavailable`` if the source doesn't know the calendar.
    func calendar(_ identifier: Calendar.Identifier, _ weeks: WeekRules) throws(RecurrenceError) -> any ForeignCalendar
}

/// The source of calendars of this process.
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
