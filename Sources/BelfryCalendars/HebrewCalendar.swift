import BelfryRecurrence

/// The Hebrew calendar, by its arithmetic (Reingold and Dershowitz, Calendrical Calculations, chapter 8).
///
/// ICU 72 and 76 begin some years a day late, such as 5807, which begins on 1 October 2046 and has 355 days.
struct HebrewCalendar: ForeignCalendar {
    var largest: (month: Int, dayOfYear: Int) { (13, 385) }

    func date(of day: Int) -> ForeignDate { Self.day(day).date }
    func monthLength(of day: Int) -> Int { Self.day(day).monthLength }
    func yearLength(of day: Int) -> Int { Self.day(day).yearLength }

    private static func day(_ number: Int) -> CalendarDay {
        // The mean year is 35,975,351 / 98,496 days long; no new year differs from it by more than one year.
        var year = (number - epoch) * 98_496 / 35_975_351 + 2
        while newYear(year) > number { year -= 1 }
        let (start, next) = (newYear(year), newYear(year + 1))
        let dayOfYear = number - start + 1
        var (month, left) = (1, dayOfYear)
        while left > length(ofMonth: month, yearLength: next - start) {
            left -= length(ofMonth: month, yearLength: next - start)
            month += 1
        }
        var date = ForeignDate()
        (date.year, date.extendedYear) = (year, year)
        (date.month, date.day, date.dayOfYear) = (month, left, dayOfYear)
        let monthLength = length(ofMonth: month, yearLength: next - start)
        return CalendarDay(date: date, monthLength: monthLength, yearLength: next - start)
    }

    /// The days of a month, counted from Tishri. The sixth, the first Adar, has days only in leap years.
    private static func length(ofMonth month: Int, yearLength: Int) -> Int {
        switch month {
        case 1, 5, 8, 10, 12: 30
        case 2: yearLength % 10 == 5 ? 30 : 29
        case 3: yearLength % 10 == 3 ? 29 : 30
        case 6: yearLength > 355 ? 30 : 0
        default: 29
        }
    }

    /// The first day of the year 1, in days since 1 January 1970.
    private static let epoch = -2_092_590

    /// The first of Tishri. A year may not have 356 or 382 days: then this new year, or the one before, is delayed.
    private static func newYear(_ year: Int) -> Int {
        let (before, day, after) = (delayedNewMoon(year - 1), delayedNewMoon(year), delayedNewMoon(year + 1))
        if after - day == 356 { return epoch + day + 2 }
        return epoch + (day - before == 382 ? day + 1 : day)
    }

    /// The day of the mean new moon of Tishri, or the next day if that is a Sunday, Wednesday or Friday.
    private static func delayedNewMoon(_ year: Int) -> Int {
        let months = (235 * year - 234).floorDivided(by: 19)
        let day = 29 * months + (12_084 + 13_753 * months).floorDivided(by: 25_920)
        return (3 * (day + 1)).modulo(7) < 3 ? day + 1 : day
    }
}

extension Int {
    fileprivate func modulo(_ other: Int) -> Int { (self % other + other) % other }

    fileprivate func floorDivided(by other: Int) -> Int { (self - modulo(other)) / other }
}
