/// The proleptic Gregorian calendar on day numbers, for the years 1 to 9999.
///
/// A day number counts from 1 March of the year 0. A year that begins in March has its leap day at the end, so no step
/// needs a table. Every number in range is positive, so division needs no care for signs. The arithmetic is that of
/// Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022).
enum Gregorian {
    static let secondsPerDay = 86_400
    /// The day number of 1 January 1970.
    static let epochDay = 719_468
    static let firstYear = 1
    static let lastYear = 9999
    /// The day numbers of 1 January of the year 1 and 31 December 9999.
    static let firstDay = 306
    static let lastDay = 3_652_364
    static let daysPerCycle = 146_097
    /// The seconds in 400 years, after which the calendar repeats, weekdays included.
    static let secondsPerCycle = 146_097 * 86_400

    @inline(__always)
    static func isLeap(_ year: Int) -> Bool {
        // A multiple of 100 is a multiple of 400 exactly if it is one of 16. A year that isn't a multiple of 25 can't
        // be a multiple of 100.
        year % 25 == 0 ? year & 15 == 0 : year & 3 == 0
    }

    /// The weekday of a day; 0 is Sunday.
    @inline(__always)
    static func weekday(ofDay day: Int) -> Int {
        Int(UInt32(truncatingIfNeeded: day &+ 3) % 7)
    }

    @inline(__always)
    static func length(ofMonth month: Int, leap: Bool) -> Int {
        month == 2 ? (leap ? 29 : 28) : 30 | (month ^ (month >> 3)) & 1
    }

    @inline(__always)
    static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let quarters = UInt32(truncatingIfNeeded: number) &* 4 &+ 3
        let century = quarters / 146_097
        let quartersOfCentury = (quarters % 146_097) | 3
        let product = UInt64(quartersOfCentury) &* 2_939_745
        let yearOfCentury = UInt32(truncatingIfNeeded: product >> 32)
        let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
        let packed = dayOfYear &* 2141 &+ 197_913
        let late = dayOfYear >= 306
        let month = packed >> 16
        return (
            Int(century &* 100 &+ yearOfCentury) &+ (late ? 1 : 0),
            Int(late ? month &- 12 : month),
            Int((packed & 0xFFFF) / 2141) &+ 1
        )
    }

    @inline(__always)
    static func day(year: Int, month: Int, day: Int) -> Int {
        let early = month <= 2
        let shiftedYear = UInt32(truncatingIfNeeded: early ? year &- 1 : year)
        let shiftedMonth = UInt32(truncatingIfNeeded: early ? month &+ 12 : month)
        let century = shiftedYear / 100
        let yearDays = shiftedYear &* 1461 / 4 &- century &+ century / 4
        let monthDays = (shiftedMonth &* 979 &- 2919) / 32
        return Int(yearDays &+ monthDays) &+ day &- 1
    }

    /// Seconds since 1970 of midnight on a day, as if the zone were UTC.
    @inline(__always)
    static func seconds(ofDay day: Int) -> Int {
        (day &- epochDay) &* secondsPerDay
    }

    /// The day number of a local time in seconds since 1970, as if at UTC; the time is in the year 1 or later.
    @inline(__always)
    static func day(ofSeconds seconds: Int) -> Int {
        Int(UInt64(truncatingIfNeeded: seconds &+ epochDay &* secondsPerDay) / UInt64(secondsPerDay))
    }

    /// The first day of the first week of a year, which is the first week with enough days in the year.
    static func weekYearStart(_ year: Int, weeks: WeekRules) -> Int {
        // The week-year before the first year contains days of that year.
        if year < firstYear { return weekYearStart(year + 400, weeks: weeks) - daysPerCycle }
        let newYear = day(year: year, month: 1, day: 1)
        return newYear + weeks.firstWeek(from: weekday(ofDay: newYear))
    }
}
