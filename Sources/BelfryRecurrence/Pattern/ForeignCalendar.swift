package import FoundationEssentials
import Synchronization

/// The fields of days in a calendar other than the Gregorian. BelfryCalendars gets them from ICU.
///
/// Days are counted from 1 January 1970; months and days begin with 1.
package protocol ForeignCalendar: Sendable {
    func value(of field: ForeignCalendarField, on day: Int) -> Int
    /// The greatest value in the month or year that contains the day.
    func lastValue(of field: ForeignCalendarField, on day: Int) -> Int
    /// The greatest value that ever occurs.
    func largestValue(of field: ForeignCalendarField) -> Int
}

package enum ForeignCalendarField: Sendable, CaseIterable {
    case era, year, month, day, dayOfYear
    /// The year, counted on from era to era, by which weeks are numbered.
    case extendedYear
    /// 1 in a leap month, which only some years have and which has the number of the previous month.
    case isLeapMonth
}

/// The calendars other than the Gregorian of this process.
package enum ForeignCalendars {
    /// Throws ``RecurrenceError/Code/calendarUnavailable`` for a calendar that it doesn't know.
    package typealias Maker = @Sendable (Calendar.Identifier) throws(RecurrenceError) -> any ForeignCalendar

    private static let maker = Mutex<Maker?>(nil)

    package static func enable(_ make: @escaping Maker) { maker.withLock { $0 = make } }

    /// Whether there are the calendars that ICU computes.
    static var isAvailable: Bool { (try? calendar(.buddhist)) != nil }

    package static func calendar(_ identifier: Calendar.Identifier) throws(RecurrenceError) -> any ForeignCalendar {
        guard let make = maker.withLock(\.self) else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is computed by ICU, which this program does without: take the "
                    + "product BelfryCalendars, and call OtherCalendars.enable() when the program starts."
            )
        }
        return try make(identifier)
    }
}
