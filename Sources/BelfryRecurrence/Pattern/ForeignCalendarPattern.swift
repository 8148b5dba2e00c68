public import FoundationEssentials

/// A rule for dates in a calendar other than the Gregorian: the rules of ``DatePattern``, with dates computed by ICU.
/// It is far slower (some microseconds for each day examined). A search ends after 200 years, which is longer than any
/// calendar's cycle of leap months.
///
/// A leap month never matches: components mean the month that every year has.
///
/// ICU is a library of the system, which the product BelfryCalendars loads.
///
/// ```swift
/// guard ForeignCalendarPattern.isAvailable else { return }
/// let newYear = [DateFields(month: 1, day: 1)]
/// let pattern = try ForeignCalendarPattern(matching: newYear, calendar: .hebrew, zone: .system())
/// ```
public struct ForeignCalendarPattern: RecurrencePattern {
    /// Whether `OtherCalendars.enable()` of BelfryCalendars was called and the machine has ICU.
    public static var isAvailable: Bool { (try? ForeignCalendars.calendar(.buddhist)) != nil }

    /// The zone of the components.
    public let zone: ZoneRules
    /// The policies for dates and times that are missing or repeated.
    public let policies: DatePolicies
    private let dates: [ForeignDates]

    /// Compiles the union of some sets of components.
    ///
    /// - Throws: ``RecurrenceError/Code/invalidComponent`` for a value that the calendar never has, and for no set;
    ///   ``RecurrenceError/Code/limitExceeded`` for more than ``DatePattern/maximumSetCount`` sets;
    ///   ``RecurrenceError/Code/calendarUnavailable`` without BelfryCalendars, or on a machine without ICU. All are
    ///   permanent.
    public init(
        matching sets: [DateFields],
        calendar identifier: Calendar.Identifier,
        zone: ZoneRules,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init()
    ) throws(RecurrenceError) {
        try weeks.validate()
        let calendar = try ForeignCalendars.calendar(identifier)
        if sets.isEmpty || sets.count > DatePattern.maximumSetCount {
            throw RecurrenceError(
                code: sets.isEmpty ? .invalidComponent : .limitExceeded,
                message: "\(sets.count) sets of date components are not in 1–\(DatePattern.maximumSetCount)."
            )
        }
        var dates: [ForeignDates] = []
        for fields in sets {
            let reduced = fields.withoutRedundantWeeks
            try reduced.validate(in: calendar)
            dates.append(ForeignDates(reduced, calendar, weeks, missingDate: policies.missingDate))
        }
        self.zone = zone
        self.policies = policies
        self.dates = dates
    }

    public func next(after instant: Int64) -> Int64? {
        // ICU's calendars are exact in these years, and agree on the days.
        let low = Gregorian.seconds(ofDay: Gregorian.day(year: 1600, month: 1, day: 1))
        let high = Gregorian.seconds(ofDay: Gregorian.lastDay)
        if instant >= high { return nil }
        let from = max(Int(instant), low)
        let best = dates.map {
            $0.next(after: from, in: zone.table, missing: policies.missingTime, repeated: policies.repeatedTime)
        }.min()
        return best.flatMap { $0 == Clause.none ? nil : Int64($0) }
    }

    public var impossibility: RecurrenceError? {
        // Starts in the middle of the range, because a search covers only 200 years.
        if next(after: 0) != nil { return nil }
        return RecurrenceError(
            code: .impossibleDate,
            message: "No date in the 200 years after 1970 has all the components that are given, in this calendar."
        )
    }
}

/// The local dates of one set of components in a calendar.
private struct ForeignDates: LocalDates {
    let times: TimeOfDaySet
    private let filled: FilledFields
    private let missingDate: MissingDatePolicy
    private let weeks: WeekRules
    private let calendar: any ForeignCalendar

    var hourIsGiven: Bool { filled.hourIsGiven }
    private var fields: DateFields { filled.fields }

    private static let daysSearched = 200 * 366

    init(_ given: DateFields, _ calendar: any ForeignCalendar, _ weeks: WeekRules, missingDate: MissingDatePolicy) {
        filled = FilledFields(given)
        times = TimeOfDaySet(filled.fields)
        self.missingDate = filled.missingDateApplies ? missingDate : .skip
        self.weeks = weeks
        self.calendar = calendar
    }

    func nextLocal(from local: Int) -> Int {
        times.nextLocal(from: local) { nextDay(from: $0) }
    }

    private func nextDay(from start: Int) -> Int {
        var day = start
        while day < min(start + Self.daysSearched, Gregorian.lastDay) {
            let date = ForeignDay(day - Gregorian.epochDay, calendar)
            if isChosen(date) { return day }
            day = Gregorian.epochDay + nextCandidate(after: date)
        }
        return DaySet.none
    }

    /// Returns the first later day that may match. A day of the month never skips the first of the next one, which may
    /// replace a missing day.
    private func nextCandidate(after date: ForeignDay) -> Int {
        if !date.matchesYear(fields) { return date.nextYear }
        if !date.matchesMonth(fields) { return date.nextMonth }
        if let wanted = fields.day {
            // The last day may replace one that the month lacks.
            let length = date.monthLength
            let day = wanted < 0 ? length + wanted + 1 : min(wanted, length)
            return day > date.day ? date.number + day - date.day : date.nextMonth
        }
        if let wanted = fields.dayOfYear {
            let next = date.nextYear
            return wanted > date.dayOfYear ? min(date.number + wanted - date.dayOfYear, next) : next
        }
        guard let weekday = fields.weekday else { return date.number + 1 }
        return date.number + 1 + (weekday - date.weekday + 6) % 7
    }

    private func isChosen(_ date: ForeignDay) -> Bool {
        guard matches(date) else { return false }
        guard filled.firstOfWeek, date.weekday != weeks.firstWeekday else { return true }
        return !matches(ForeignDay(date.number - 1, calendar))
    }

    private func matches(_ date: ForeignDay) -> Bool {
        if missingDate == .nextDay, let wanted = fields.day, date.day == 1 {
            let before = ForeignDay(date.number - 1, calendar)
            if before.day < wanted, before.matchesMonth(fields), date.matchesWeeks(fields, weeks) { return true }
        }
        guard date.matchesMonth(fields), date.matchesWeeks(fields, weeks) else { return false }
        if let weekday = fields.weekday, weekday != date.weekday { return false }
        if let wanted = fields.dayOfYear, wanted != date.dayOfYear { return false }
        if let ordinal = fields.weekdayOrdinal {
            let own = ordinal > 0 ? (date.day - 1) / 7 + 1 : -((date.monthLength - date.day) / 7 + 1)
            if ordinal != own { return false }
        }
        guard let wanted = fields.day else { return true }
        if wanted < 0 { return wanted == date.day - date.monthLength - 1 }
        if wanted == date.day { return true }
        return missingDate == .lastDayOfMonth && date.day == date.monthLength && wanted > date.monthLength
    }
}

extension DateFields {
    /// Throws for values that the calendar never has. Years, which calendars count differently, are checked only
    /// roughly.
    fileprivate func validate(in calendar: any ForeignCalendar) throws(RecurrenceError) {
        let lastMonth = max(calendar.largest.month, 12)
        let lastDay = max(calendar.largest.dayOfYear, 366)
        var known = self
        let limits: [(String, WritableKeyPath<DateFields, Int?>, ClosedRange<Int>)] = [
            ("era", \.era, 0...10_000), ("year", \.year, 1...200_000),
            ("yearForWeekOfYear", \.yearForWeekOfYear, 1...200_000),
            ("month", \.month, 1...lastMonth),
            ("dayOfYear", \.dayOfYear, 1...lastDay),
            // The weeks that are numbered by a year have at most six days of the others.
            ("weekOfYear", \.weekOfYear, 1...(lastDay + 6) / 7),
        ]
        for (name, path, range) in limits {
            if let value = self[keyPath: path], !range.contains(value) {
                throw RecurrenceError(
                    code: .invalidComponent,
                    message: "\(name) \(value) is not in \(range.lowerBound)–\(range.upperBound) of this calendar."
                )
            }
            // The other components have the same ranges in every calendar.
            if known[keyPath: path] != nil { known[keyPath: path] = 1 }
        }
        try known.validate()
    }
}
