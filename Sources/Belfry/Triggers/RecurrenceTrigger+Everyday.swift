public import BelfryRecurrence
public import FoundationEssentials

extension RecurrenceTrigger {
    /// The unit of ``NoticeTrigger/every(_:_:at:zone:starting:until:count:missingDate:)``.
    public enum Unit: String, Sendable, Codable, Hashable, CaseIterable {
        /// Days.
        case days
        /// Weeks.
        case weeks
        /// Months.
        case months
        /// Years.
        case years

        fileprivate var frequency: RRule.Frequency {
            switch self {
            case .days: .daily
            case .weeks: .weekly
            case .months: .monthly
            case .years: .yearly
            }
        }
    }
}

extension NoticeTrigger where Self == RecurrenceTrigger {
    /// Fires every given number of calendar days, weeks, months or years, at a time of day.
    ///
    /// The first firing is the first such time of day that is not before `starting`, by default the moment of the call.
    /// Its local date is the base: weeks keep its weekday, months its day, years its date. The trigger is an RRULE with
    /// that date as DTSTART.
    ///
    /// ```swift
    /// let watering = try RecurrenceTrigger.every(3, .days, at: "9:00", count: 10)
    /// ```
    /// - Parameters:
    ///   - number: The number of units between firings, 1 or more.
    ///   - unit: Days, weeks, months or years.
    ///   - time: The local time of day.
    ///   - zone: The time zone; a floating one follows the system's.
    ///   - starting: The earliest instant of a firing.
    ///   - until: The last instant of a firing, inclusive.
    ///   - count: How many firings in all, 1 or more; nil is without end.
    ///   - missingDate: What happens in a month that lacks the day.
    /// - Throws: ``NoticeError/Code/invalidComponent`` for a number, time or date that is out of range, and
    ///   ``NoticeError/Code/unknownZone`` for the zone; permanent. `add` refuses contradicting bounds.
    public static func every(
        _ number: Int,
        _ unit: RecurrenceTrigger.Unit,
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date = .now,
        until: Date? = nil,
        count: Int? = nil,
        missingDate: MissingDatePolicy = .nextDay
    ) throws(NoticeError) -> RecurrenceTrigger {
        guard number >= 1 else {
            throw NoticeError(.invalidComponent, "Every \(number) \(unit.rawValue): give a number of 1 or more.")
        }
        try time.validate()
        let first = try firstLocal(time, zone: zone, notBefore: starting)
        let day = LocalDate(secondsAtUTC: first).day
        let rule = RRule(every: number, unit.frequency, from: first, day: day, missingDate: missingDate)
        // The rule has the start. As another bound, it would suppress a firing after the machine moved west.
        return try RecurrenceTrigger(.rrule(rule.description), zone: zone, until: until, count: count)
    }

    /// The years 1 to 9999 in seconds since 1970, minus some days for the zone.
    static var startRange: ClosedRange<Double> { -62_135_000_000...253_402_000_000 }

    /// Returns the first such time of day, as local time in seconds since 1970 of a clock at UTC.
    private static func firstLocal(
        _ time: TimeOfDay,
        zone: ZoneReference,
        notBefore starting: Date
    ) throws(NoticeError) -> Int64 {
        let rules: ZoneRules
        do throws(RecurrenceError) { rules = try zone.rules() } catch { throw NoticeError(error) }
        let seconds = starting.timeIntervalSince1970
        guard startRange.contains(seconds),
            let first = DateFields().at(time).firstLocal(after: Int64(seconds.rounded(.up)) - 1, in: rules)
        else {
            throw NoticeError(.invalidComponent, "The start \(seconds) is outside the years 1 to 9999.")
        }
        return first
    }
}
