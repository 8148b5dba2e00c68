import FoundationEssentials
import Synchronization

/// A rule for dates in a calendar other than the Gregorian: the same rules as those of ``DatePattern``, with the dates
/// computed by Foundation. Slower by far (some microseconds a day that is looked at), and ended after 200 years, which is
/// longer than any calendar's cycle of leap months.
///
/// A leap month never matches: components mean the month that every year has.
///
/// These calendars are computed by ICU, which is 44 MB of a program: the product BelfryCalendars brings it.
public struct ForeignCalendarPattern: RecurrencePattern {
    private static let hasICU = Atomic(false)
    /// Whether `OtherCalendars.enable()` of BelfryCalendars was called. Without ICU, Foundation ends the program that asks it for
    /// another calendar.
    public static var isAvailable: Bool { hasICU.load(ordering: .relaxed) }
    package static func enable() { hasICU.store(true, ordering: .relaxed) }

    /// The zone of the components.
    public let zone: ZoneRules
    /// What becomes of dates and times that are missing or repeated.
    public let policies: DatePolicies
    private let dates: [ForeignDates]

    /// - Throws: ``RecurrenceError/Code/invalidComponent`` for a value that the calendar never has, and
    ///   ``RecurrenceError/Code/calendarUnavailable`` without BelfryCalendars.
    public init(
        matching sets: [DateFields],
        calendar identifier: Calendar.Identifier,
        zone: ZoneRules,
        policies: DatePolicies = .init(),
        weeks: WeekRules = .init()
    ) throws(RecurrenceError) {
        try weeks.validate()
        guard Self.isAvailable else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is computed by ICU, which this program does without: take the product "
                    + "BelfryCalendars, and call OtherCalendars.enable() when the program starts."
            )
        }
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        calendar.firstWeekday = weeks.firstWeekday
        calendar.minimumDaysInFirstWeek = weeks.minimumDaysInFirstWeek
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
            dates.append(ForeignDates(reduced, calendar: calendar, missingDate: policies.missingDate))
        }
        self.zone = zone
        self.policies = policies
        self.dates = dates
    }

    public func next(after instant: Int64) -> Int64? {
        // Foundation's calendars are exact in these years, and agree on the days.
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
        // From the middle of the range, since a search reaches 200 years only.
        if next(after: 0) != nil { return nil }
        return RecurrenceError(
            code: .impossibleDate,
            message: "No date in the 200 years after 1970 has all the components that are given, in this calendar."
        )
    }
}

/// The local dates of one set of components in a calendar.
private struct ForeignDates: LocalDates {
    let fields: DateFields
    let times: TimeOfDaySet
    let hourIsGiven: Bool
    private let firstOfWeek: Bool
    private let missingDate: MissingDatePolicy
    /// At UTC, with the weeks of the rule.
    private let calendar: Calendar

    private static let daysSearched = 200 * 366

    init(_ given: DateFields, calendar: Calendar, missingDate: MissingDatePolicy) {
        let filled = FilledFields(given)
        fields = filled.fields
        hourIsGiven = filled.hourIsGiven
        firstOfWeek = filled.firstOfWeek
        self.missingDate = filled.missingDateApplies ? missingDate : .skip
        self.calendar = calendar
        times = TimeOfDaySet(fields)
    }

    func nextLocal(from local: Int) -> Int {
        times.nextLocal(from: local) { nextDay(from: $0) }
    }

    private func nextDay(from start: Int) -> Int {
        var day = start
        while day < min(start + Self.daysSearched, Gregorian.lastDay) {
            let date = ForeignDay(day, calendar)
            if isChosen(day, date) { return day }
            // What can't match skips a year, a month or a day; the first of the next one may stand for a missing day.
            if !date.matchesYear(fields) {
                day = max(date.end(of: .year), day + 1)
            } else if let month = fields.month, month != date.month {
                day = max(date.end(of: .month), day + 1)
            } else {
                day += 1
            }
        }
        return DaySet.none
    }

    private func isChosen(_ day: Int, _ date: ForeignDay) -> Bool {
        guard matches(date) else { return false }
        guard firstOfWeek, date.weekday != calendar.firstWeekday else { return true }
        return !matches(ForeignDay(day - 1, calendar))
    }

    private func matches(_ date: ForeignDay) -> Bool {
        if missingDate == .nextDay, let wanted = fields.day, date.day == 1 {
            let before = ForeignDay(date.number - 1, calendar)
            if before.day < wanted, before.matchesMonth(fields), date.matchesWeeks(fields) { return true }
        }
        guard date.matchesMonth(fields), date.matchesWeeks(fields) else { return false }
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

/// One day as Foundation's calendar tells it.
private struct ForeignDay {
    let number: Int
    private let date: Date
    private let calendar: Calendar
    private let components: DateComponents

    init(_ number: Int, _ calendar: Calendar) {
        self.number = number
        self.calendar = calendar
        date = Date(timeIntervalSince1970: Double(Gregorian.seconds(ofDay: number)) + 43_200)
        components = calendar.dateComponents([.era, .year, .month, .day, .weekday], from: date)
    }

    var month: Int { components.month ?? 0 }
    var day: Int { components.day ?? 0 }
    var weekday: Int { components.weekday ?? 0 }
    var monthLength: Int { calendar.range(of: .day, in: .month, for: date)?.count ?? 0 }
    var dayOfYear: Int { calendar.ordinality(of: .day, in: .year, for: date) ?? 0 }

    func matchesYear(_ fields: DateFields) -> Bool {
        fields.era ?? components.era == components.era && fields.year ?? components.year == components.year
    }

    func matchesMonth(_ fields: DateFields) -> Bool {
        guard matchesYear(fields), fields.month ?? month == month else { return false }
        return fields.month == nil || components.isLeapMonth != true
    }

    func matchesWeeks(_ fields: DateFields) -> Bool {
        guard fields.hasWeek || fields.yearForWeekOfYear != nil else { return true }
        let weeks = calendar.dateComponents([.weekOfMonth, .weekOfYear, .yearForWeekOfYear], from: date)
        return fields.weekOfMonth ?? weeks.weekOfMonth == weeks.weekOfMonth
            && fields.weekOfYear ?? weeks.weekOfYear == weeks.weekOfYear
            && fields.yearForWeekOfYear ?? weeks.yearForWeekOfYear == weeks.yearForWeekOfYear
    }

    /// The first day after the year or month that the day is in.
    func end(of component: Calendar.Component) -> Int {
        guard let end = calendar.dateInterval(of: component, for: date)?.end else { return number + 1 }
        return Gregorian.day(ofSeconds: Int(end.timeIntervalSince1970))
    }
}

extension DateFields {
    /// Refuses what the calendar never has. Its largest values are asked of Foundation; years are not, since calendars
    /// count them very differently.
    fileprivate func validate(in calendar: Calendar) throws(RecurrenceError) {
        func largest(_ component: Calendar.Component, else fallback: Int) -> Int {
            max((calendar.maximumRange(of: component)?.upperBound ?? fallback + 1) - 1, fallback)
        }
        var known = self
        let limits: [(String, WritableKeyPath<DateFields, Int?>, ClosedRange<Int>)] = [
            ("era", \.era, 0...10_000), ("year", \.year, 1...200_000),
            ("yearForWeekOfYear", \.yearForWeekOfYear, 1...200_000), ("month", \.month, 1...largest(.month, else: 12)),
            ("dayOfYear", \.dayOfYear, 1...largest(.dayOfYear, else: 366)),
            ("weekOfYear", \.weekOfYear, 1...largest(.weekOfYear, else: 53)),
        ]
        for (name, path, range) in limits {
            if let value = self[keyPath: path], !range.contains(value) {
                throw RecurrenceError(
                    code: .invalidComponent,
                    message: "\(name) \(value) is not in \(range.lowerBound)–\(range.upperBound) of this calendar."
                )
            }
            // The others have the same ranges in every calendar.
            if known[keyPath: path] != nil { known[keyPath: path] = 1 }
        }
        try known.validate()
    }
}
