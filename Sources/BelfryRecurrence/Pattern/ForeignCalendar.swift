package import FoundationEssentials
import Synchronization

/// A calendar other than the Gregorian. BelfryCalendars has them, most of them from ICU.
///
/// Days are counted from 1 January 1970.
package protocol ForeignCalendar: Sendable {
    /// The largest month and the largest day of a year that ever occur.
    var largest: (month: Int, dayOfYear: Int) { get }
    func date(of day: Int) -> ForeignDate
    /// Returns the length of the month that contains the day. ICU takes longer for it than for a date.
    func monthLength(of day: Int) -> Int
    /// Returns the length of the year that contains the day.
    func yearLength(of day: Int) -> Int
}

/// The date of a day in a calendar. Months and days begin with 1; all is 0 on a day that the calendar doesn't know.
package struct ForeignDate: Sendable, Hashable {
    package var era = 0
    package var year = 0
    /// The year, counted on from era to era, by which weeks are numbered.
    package var extendedYear = 0
    package var month = 0
    /// Whether it is a leap month, which only some years have and which has the number of the previous month.
    package var isLeapMonth = false
    package var day = 0
    package var dayOfYear = 0

    package init() {}
}

/// The calendars other than the Gregorian of this process.
package enum ForeignCalendars {
    /// Throws ``RecurrenceError/Code/calendarUnavailable`` for a calendar that it doesn't know.
    package typealias Maker = @Sendable (Calendar.Identifier) throws(RecurrenceError) -> any ForeignCalendar

    private static let maker = Mutex<Maker?>(nil)

    package static func enable(_ make: @escaping Maker) { maker.withLock { $0 = make } }

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
