/// A zone defined by a POSIX `TZ` string (`CET-1CEST,M3.5.0,M10.5.0/3`), which is also the footer of a TZif file.
///
/// See POSIX.1-2024, Base Definitions 8.3, and RFC 9636, section 3.3.1, which extends the hours of a change to ±167.
struct PosixZone: Equatable, Sendable {
    /// The day of a year on which a change happens.
    enum Day: Equatable, Sendable {
        /// 1 to 365; 29 February is never counted.
        case julian(Int)
        /// 0 to 365; 29 February is counted.
        case zeroBased(Int)
        /// The week (5 is the last) and weekday (0 is Sunday) of a month.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    struct Daylight: Equatable, Sendable {
        /// Seconds ahead of UTC during daylight saving time; less than the standard offset in Ireland and, formerly,
        /// Morocco.
        var offset: Int
        var start: Day
        /// Seconds after midnight in standard time.
        var startTime: Int
        var end: Day
        /// Seconds after midnight in daylight saving time.
        var endTime: Int
    }

    /// Seconds ahead of UTC.
    var standardOffset: Int
    var daylight: Daylight?
    /// Whether the text has no dates for daylight saving time.
    var hasDefaultDates = false

    /// Returns the changes of some years, in ascending order.
    func changes(fromYear first: Int, throughYear last: Int) -> [ZoneTable.Change] {
        guard let daylight else { return [] }
        var changes: [ZoneTable.Change] = []
        changes.reserveCapacity(2 * (last - first + 1))
        for year in first...last {
            let newYear = Gregorian.day(year: year, month: 1, day: 1)
            let begin = Gregorian.seconds(ofDay: Self.day(daylight.start, ofYear: year, newYear: newYear))
            let finish = Gregorian.seconds(ofDay: Self.day(daylight.end, ofYear: year, newYear: newYear))
            let on = ZoneTable.Change(start: begin + daylight.startTime - standardOffset, offset: daylight.offset)
            let off = ZoneTable.Change(start: finish + daylight.endTime - daylight.offset, offset: standardOffset)
            changes += on.start <= off.start ? [on, off] : [off, on]
        }
        // All-year daylight saving time ends at the very instant at which it begins again. With equal instants in the
        // order of years, the beginning comes last and takes effect.
        return changes.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(
            \.element
        )
    }

    /// Returns the offset before a change of this rule, which is the other of its two offsets.
    func offsetBefore(_ change: ZoneTable.Change?) -> Int? {
        guard let change, let daylight else { return nil }
        return change.offset == standardOffset ? daylight.offset : standardOffset
    }

    /// Returns the year of an instant at UTC, 1 to 9999.
    static func year(ofInstant instant: Int) -> Int {
        let low = Gregorian.seconds(ofDay: Gregorian.firstDay)
        let high = Gregorian.seconds(ofDay: Gregorian.lastDay)
        return Gregorian.date(ofDay: Gregorian.day(ofSeconds: min(max(instant, low), high))).year
    }

    private static func day(_ day: Day, ofYear year: Int, newYear: Int) -> Int {
        switch day {
        case .julian(let number):
            return newYear + number - 1 + (Gregorian.isLeap(year) && number >= 60 ? 1 : 0)
        case .zeroBased(let number):
            return newYear + number
        case .weekday(let month, let week, let weekday):
            let first = Gregorian.day(year: year, month: month, day: 1)
            let length = Gregorian.length(ofMonth: month, leap: Gregorian.isLeap(year))
            var offset = (weekday - Gregorian.weekday(ofDay: first) + 7) % 7 + 7 * (week - 1)
            if offset >= length { offset -= 7 }
            return first + offset
        }
    }
}
