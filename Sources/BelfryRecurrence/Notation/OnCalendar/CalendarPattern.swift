public import FoundationEssentials

/// A compiled calendar expression. Local times that a clock change skips are skipped. In a repeated hour, both
/// occurrences fire if the hour is `*`, otherwise only the first.
///
/// ```swift
/// let firstOfMonth = try CalendarExpression(parsing: "*-*-01 08:00 Europe/Berlin")
/// let pattern = try firstOfMonth.compiled(zone: .system())
/// if let date = pattern.next(after: Date()) { print(date) }
/// ```
public struct CalendarPattern: RecurrencePattern {
    /// The minutes of the expression if it has fractions of a second, otherwise its seconds.
    private let pattern: DatePattern
    /// The seconds of a minute, in microseconds, if some of them have fractions.
    private let fractions: CalendarChain?
    private let expression: CalendarExpression

    private static let microseconds: Int64 = 1_000_000
    /// A limit in seconds, beyond any date, that still allows counting microseconds without overflow.
    private static let limit: Int64 = 1_000_000_000_000
    private static let lastOfMinute = 60 * 1_000_000 - 1

    init(_ expression: CalendarExpression, zone: ZoneRules) {
        self.expression = expression
        let second = expression.second
        fractions = second?.isWhole == false ? second : nil
        let times = TimeOfDaySet(
            hours: expression.hour?.values(through: 23) ?? [],
            minutes: expression.minute?.values(through: 59) ?? [],
            seconds: fractions == nil ? second?.wholeSeconds ?? [] : [0]
        )
        let clause = Clause(
            days: expression.daySet,
            times: times,
            hourIsGiven: times.hours != TimeOfDaySet.allHours
        )
        pattern = DatePattern(
            clauses: clause.days.isEmpty ? [] : [clause],
            zone: zone,
            policies: DatePolicies(missingDate: .skip, missingTime: .skip, repeatedTime: .first)
        )
    }

    /// Whether there are dates between two whole seconds. If so, ``next(afterMicroseconds:)`` returns them exactly, and
    /// ``next(after:)->Int64?`` rounds them up to seconds.
    public var hasFractions: Bool { fractions != nil }

    public func next(after instant: Int64) -> Int64? {
        guard hasFractions else { return pattern.next(after: instant) }
        let held = min(max(instant, -Self.limit), Self.limit)
        let next = next(afterMicroseconds: held * Self.microseconds)
        return next.map { ($0 + Self.microseconds - 1) / Self.microseconds }
    }

    /// Returns the next instant strictly after `given`, both in microseconds since 1970; `nil` if there is none.
    public func next(afterMicroseconds given: Int64) -> Int64? {
        let instant = min(max(given, -Self.limit * Self.microseconds), Self.limit * Self.microseconds)
        let second = instant >= 0 ? instant / Self.microseconds : (instant + 1) / Self.microseconds - 1
        guard let fractions else { return pattern.next(after: second).map { $0 * Self.microseconds } }
        // Begins with the minute that contains the instant.
        var minute = second - 60
        while let next = pattern.next(after: minute) {
            let from = max(0, instant + 1 - next * Self.microseconds)
            if from <= Self.lastOfMinute, let found = fractions.next(from: Int(from), through: Self.lastOfMinute) {
                return next * Self.microseconds + Int64(found)
            }
            minute = next
        }
        return nil
    }

    public func next(after date: Date) -> Date? {
        guard hasFractions else { return pattern.next(after: date) }
        let seconds = date.wholeSecondsSince1970
        if abs(seconds) > Self.limit { return next(afterMicroseconds: seconds < 0 ? .min : .max).map(Self.date) }
        // Rounds to the nearest microsecond, because a `Date` represents microseconds only approximately.
        let rest = Int64(((date.timeIntervalSince1970 - Double(seconds)) * 1e6).rounded())
        return next(afterMicroseconds: seconds * Self.microseconds + rest).map(Self.date)
    }

    private static func date(ofMicroseconds microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1e6)
    }

    public var impossibility: RecurrenceError? {
        if pattern.next(after: .min) != nil { return nil }
        return RecurrenceError(
            code: .impossibleDate,
            message: "on: '\(expression)' has no date: no month has such a day, no such day is on that weekday, "
                + "or a clock change skips it in \(pattern.zone.identifier)."
        )
    }
}

extension CalendarExpression {
    /// Compiles the expression to a pattern.
    /// - Parameter fallback: the zone to use if the expression names none.
    /// - Throws: ``RecurrenceError/Code/unknownZone`` if the zone that it names no longer exists; permanent until the
    ///   zone data is installed again.
    public func compiled(zone fallback: ZoneRules) throws(RecurrenceError) -> CalendarPattern {
        guard let zone else { return CalendarPattern(self, zone: fallback) }
        return CalendarPattern(self, zone: zone == "UTC" ? .utc : try ZoneRules.named(zone))
    }

    fileprivate var daySet: DaySet {
        let years = year?.values(through: 2199).sorted()
        let first = Gregorian.day(year: years?.first ?? Gregorian.firstYear, month: 1, day: 1)
        let last = Gregorian.day(year: years?.last ?? Gregorian.lastYear, month: 12, day: 31)
        return DaySet(
            months: months,
            days: days,
            weekdays: weekdayNumbers,
            span: first...last,
            years: years
        )
    }
}
