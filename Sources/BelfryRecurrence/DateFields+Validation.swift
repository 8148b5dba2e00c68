extension DateFields {
    /// Throws ``RecurrenceError/Code/invalidComponent`` if a component is out of range or none is given.
    func validate() throws(RecurrenceError) {
        try Self.check("era", era, 0...1)
        try Self.check("year", year, Gregorian.firstYear...Gregorian.lastYear)
        try Self.check("month", month, 1...12)
        try Self.check("day", day, 1...31, fromTheEnd: true)
        try Self.check("dayOfYear", dayOfYear, 1...366)
        try Self.check("weekday", weekday, 1...7)
        try Self.check("weekdayOrdinal", weekdayOrdinal, 1...5, fromTheEnd: true)
        try Self.check("weekOfMonth", weekOfMonth, 0...6)
        try Self.check("weekOfYear", weekOfYear, 1...53)
        try Self.check("yearForWeekOfYear", yearForWeekOfYear, Gregorian.firstYear...Gregorian.lastYear)
        try Self.check("hour", hour, 0...23)
        try Self.check("minute", minute, 0...59)
        try Self.check("second", second, 0...59)
        if !hasTime, !hasDay, !hasWeek, era == nil, year == nil, yearForWeekOfYear == nil, month == nil {
            throw RecurrenceError(
                code: .invalidComponent,
                message: "No date component is given. Give at least one, such as hour."
            )
        }
    }

    @inline(__always)
    private static func check(
        _ name: StaticString,
        _ value: Int?,
        _ range: ClosedRange<Int>,
        fromTheEnd: Bool = false
    ) throws(RecurrenceError) {
        guard let value, !range.contains(value) else { return }
        if fromTheEnd, value < 0, value >= -range.upperBound { return }
        throw RecurrenceError(
            code: .invalidComponent,
            message: "\(name) \(value) is not in \(range.lowerBound)–\(range.upperBound)"
                + (fromTheEnd ? ", nor in −\(range.upperBound)–−1, which count from the end." : ".")
        )
    }
}
