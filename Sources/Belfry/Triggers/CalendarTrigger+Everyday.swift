public import BelfryRecurrence
public import FoundationEssentials

/// Everyday recurrences. Each is a calendar trigger like one by components; `starting` and `until` are both included,
/// `count` is 1 or more, and the zone floats unless it is given. What is out of range is refused by `add` with
/// ``NoticeError/Code/invalidComponent``.
extension NoticeTrigger where Self == CalendarTrigger {
    /// Every day.
    public static func daily(
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        everyday([DateFields().at(time)], zone, starting, until, count)
    }

    /// From Monday to Friday.
    public static func weekdays(
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        weekly(on: Weekday.workdays, at: time, zone: zone, starting: starting, until: until, count: count)
    }

    /// Every week on one day.
    public static func weekly(
        on weekday: Weekday,
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        weekly(on: [weekday], at: time, zone: zone, starting: starting, until: until, count: count)
    }

    /// Every week on some days, one or more of them.
    public static func weekly(
        on weekdays: Set<Weekday>,
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        // In one order, so that equal days make equal triggers.
        let days = Weekday.allCases.filter(weekdays.contains)
        return everyday(days.map { DateFields(weekday: $0.rawValue).at(time) }, zone, starting, until, count)
    }

    /// Every month; `missingDate` says what becomes of the 31st of April.
    public static func monthly(
        on day: CalendarTrigger.DayOfMonth,
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil,
        missingDate: MissingDatePolicy = .nextDay
    ) -> CalendarTrigger {
        everyday([day.fields.at(time)], zone, starting, until, count, missingDate)
    }

    /// Every year; `missingDate` says what becomes of 29 February in a common year.
    public static func yearly(
        on date: CalendarTrigger.DateOfYear,
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil,
        missingDate: MissingDatePolicy = .nextDay
    ) -> CalendarTrigger {
        everyday([date.fields.at(time)], zone, starting, until, count, missingDate)
    }

    private static func everyday(
        _ sets: [DateFields],
        _ zone: ZoneReference,
        _ starting: Date?,
        _ until: Date?,
        _ count: Int?,
        _ missingDate: MissingDatePolicy = .nextDay
    ) -> CalendarTrigger {
        CalendarTrigger(
            matching: sets,
            repeats: true,
            options: CalendarTrigger.Options(
                zone: zone,
                policies: DatePolicies(missingDate: missingDate),
                starting: starting,
                until: until,
                count: count
            )
        )
    }
}
