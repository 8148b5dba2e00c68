import Belfry
import BelfryRecurrence
import Foundation

/// A date and time of day as it stands on a calendar and a clock on the wall, not yet in any zone.
package struct LocalDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    /// Days in the month, by the Gregorian calendar.
    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// What is wrong with the numbers, or nil.
    package var fault: String? {
        guard (1...9999).contains(year) else { return "the year \(year) is not in 1–9999" }
        guard (1...12).contains(month) else { return "the month \(month) is not in 1–12" }
        let days = Self.length(ofMonth: month, in: year)
        guard (1...days).contains(day) else { return "the day \(day) is not in 1–\(days), the days of that month" }
        guard (0...23).contains(hour) else { return "the hour \(hour) is not in 0–23" }
        guard (0...59).contains(minute) else { return "the minute \(minute) is not in 0–59" }
        guard (0...59).contains(second) else { return "the second \(second) is not in 0–59" }
        return nil
    }

    /// Seconds since 1970 as though the zone were UTC. (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".)
    package var secondsAtUTC: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era * 146_097 + dayOfEra - 719_468)
        return days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// What calendar and clock show where they are set to UTC; the inverse of ``secondsAtUTC``.
    package init(secondsAtUTC seconds: Int64) {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let time = Int(seconds) - days * 86_400
        let number = days + 719_468
        let era = (number >= 0 ? number : number - 146_096) / 146_097
        let dayOfEra = number - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            hour: time / 3600,
            minute: time / 60 % 60,
            second: time % 60
        )
    }

    /// The instant at which the clocks of a zone show this; a time that a clock change skips is shifted forward, of one
    /// that comes twice the first is taken, as with calendar triggers. Nil where there is none in the calendar's range.
    package func instant(in zone: ZoneRules) throws(NoticeError) -> Date? {
        let fields = DateFields(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        let pattern: DatePattern
        do throws(RecurrenceError) {
            pattern = try DatePattern(matching: [fields], zone: zone)
        } catch { throw NoticeError(error) }
        // No zone is ever further from UTC than a week, not even by a POSIX rule (RFC 9636: at most 167 hours).
        return pattern.next(after: Date(timeIntervalSince1970: Double(secondsAtUTC - 8 * 86_400)))
    }
}
