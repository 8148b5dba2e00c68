/// A date and time of day on a calendar and a wall clock, in no particular zone.
package struct LocalDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    /// The number of days in a month of the Gregorian calendar.
    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Seconds since 1970, as if the zone were UTC (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
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

    /// Creates the date and time that a clock at UTC shows; the inverse of ``secondsAtUTC``.
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

    /// The weekday, 1 (Sunday) to 7.
    package var weekday: Int {
        // 1 January 1970 was a Thursday.
        let days = Int((Double(secondsAtUTC) / 86_400).rounded(.down))
        return ((days + 4) % 7 + 7) % 7 + 1
    }

    /// The date as `2026-12-24`.
    package var date: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

    /// The time as `18:00:00`.
    package var time: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))" }

    /// The date and time in the form of iCalendar, `20261224T180000`.
    package var compact: String { "\(date)T\(time)".filter { $0 != "-" && $0 != ":" } }

    /// Returns an offset as RFC 3339 writes it, `+01:00`. Seconds, which only local mean times have, are dropped.
    package static func text(ofOffset seconds: Int) -> String {
        let minutes = Int(seconds.magnitude / 60)
        return "\(seconds < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
