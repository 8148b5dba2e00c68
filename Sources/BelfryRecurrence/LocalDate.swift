/// A date and time of day on a calendar and a wall clock, in no particular zone.
package struct LocalDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    /// The years 1 to 9999, in seconds since 1970, as if the zone were UTC.
    package static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The number of days in a month of the Gregorian calendar.
    package static func length(ofMonth month: Int, in year: Int) -> Int {
        Gregorian.length(ofMonth: month, leap: Gregorian.isLeap(year))
    }

    /// Seconds since 1970, as if the zone were UTC.
    package var secondsAtUTC: Int64 {
        // The calendar repeats after 400 years, so any year can be moved to where Gregorian computes.
        let yearOfCycle = (year % 400 + 400) % 400 + 400
        let cycles = (year - yearOfCycle) / 400
        let number = Gregorian.day(year: yearOfCycle, month: month, day: day)
        let seconds = Gregorian.seconds(ofDay: number) + cycles * Gregorian.secondsPerCycle
        return Int64(seconds + hour * 3600 + minute * 60 + second)
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
        let secondOfCycle = Self.secondOfCycle(seconds)
        let number = Gregorian.day(ofSeconds: secondOfCycle)
        let date = Gregorian.date(ofDay: number)
        let time = secondOfCycle - Gregorian.seconds(ofDay: number)
        self.init(
            year: date.year + (Int(seconds) - secondOfCycle) / Gregorian.secondsPerCycle * 400,
            month: date.month,
            day: date.day,
            hour: time / 3600,
            minute: time / 60 % 60,
            second: time % 60
        )
    }

    /// Creates the same date and time within the years 1 to 9999, or the nearest one in them.
    package init(clamping seconds: Int64) {
        self.init(secondsAtUTC: min(max(seconds, Self.range.lowerBound), Self.range.upperBound))
    }

    /// The error in the numbers; nil if they are valid.
    package var rangeError: String? {
        guard (1...9999).contains(year) else { return "the year \(year) is not in 1–9999" }
        guard (1...12).contains(month) else { return "the month \(month) is not in 1–12" }
        let days = Self.length(ofMonth: month, in: year)
        guard (1...days).contains(day) else { return "the day \(day) is not in 1–\(days), the days of that month" }
        guard (0...23).contains(hour) else { return "the hour \(hour) is not in 0–23" }
        guard (0...59).contains(minute) else { return "the minute \(minute) is not in 0–59" }
        guard (0...59).contains(second) else { return "the second \(second) is not in 0–59" }
        return nil
    }

    /// The weekday, 1 (Sunday) to 7.
    package var weekday: Int {
        Gregorian.weekday(ofDay: Gregorian.day(ofSeconds: Self.secondOfCycle(secondsAtUTC))) + 1
    }

    /// Returns the same time in the 400 years from 1970, after which dates and weekdays repeat.
    private static func secondOfCycle(_ seconds: Int64) -> Int {
        let rest = Int(seconds) % Gregorian.secondsPerCycle
        return rest < 0 ? rest + Gregorian.secondsPerCycle : rest
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
