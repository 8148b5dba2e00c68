public import BelfryRecurrence
public import FoundationEssentials

/// Everyday recurrences as calendar triggers. `starting` and `until` are both inclusive, `count` is 1 or more, and the
/// zone is floating by default. `add` refuses values out of range with ``NoticeError/Code/invalidComponent``.
extension NoticeTrigger where Self == CalendarTrigger {
    /// Fires every day.
    public static func daily(
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        everyday([DateFields().at(time)], zone, starting, until, count)
    }

    /// Fires from Monday to Friday.
    public static func weekdays(
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        weekly(on: Weekday.workdays, at: time, zone: zone, starting: starting, until: until, count: count)
    }

    /// Fires every week on one day.
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

    /// Fires every week on one or more days.
    public static func weekly(
        on weekdays: Set<Weekday>,
        at time: TimeOfDay,
        zone: ZoneReference = .floating,
        starting: Date? = nil,
        until: Date? = nil,
        count: Int? = nil
    ) -> CalendarTrigger {
        // In a fixed order, so that equal days make equal triggers.
        let days = Weekday.allCases.filter(weekdays.contains)
        return everyday(days.map { DateFields(weekday: $0.rawValue).at(time) }, zone, starting, until, count)
    }

    /// Fires every month; `missingDate` says what happens on the 31st in months that lack it, such as April.
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

    /// Fires every year; `missingDate` says what happens on 29 February in a common year.
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
