public import FoundationEssentials

extension DateFields {
    /// Takes over what a rule for dates understands. Left out are `quarter`, `nanosecond` and `isLeapMonth`, and the
    /// week fields beside year, month and day; ``warnings(for:)`` tells what that was. The calendar and the zone of the
    /// components are not read: they are parameters of their own of a ``DatePattern``.
    public init(_ components: DateComponents) {
        self = DateFields(unreduced: components).withoutRedundantWeeks
    }

    /// What `init(_:)` leaves out of some components, a sentence each.
    public static func warnings(for components: DateComponents) -> [String] {
        var warnings = DateFields(unreduced: components).warnings
        for (name, value) in [("quarter", components.quarter), ("nanosecond", components.nanosecond)] {
            if let value, value != undefined { warnings.append("\(name) \(value) is ignored.") }
        }
        if let leap = components.isLeapMonth {
            warnings.append("isLeapMonth \(leap) is ignored: the Gregorian calendar has no leap months.")
        }
        return warnings
    }

    private init(unreduced components: DateComponents) {
        func given(_ value: Int?) -> Int? { value == undefined ? nil : value }
        self.init(
            era: given(components.era),
            year: given(components.year),
            month: given(components.month),
            day: given(components.day),
            dayOfYear: given(components.dayOfYear),
            weekday: given(components.weekday),
            weekdayOrdinal: given(components.weekdayOrdinal),
            weekOfMonth: given(components.weekOfMonth),
            weekOfYear: given(components.weekOfYear),
            yearForWeekOfYear: given(components.yearForWeekOfYear),
            hour: given(components.hour),
            minute: given(components.minute),
            second: given(components.second)
        )
    }
}

/// What Apple's Foundation has for a component that is not given (NSDateComponentUndefined), also in code that was
/// ported.
private let undefined = Int.max

extension WeekRules {
    /// How the calendar counts weeks.
    public init(_ calendar: Calendar) {
        self.init(
            firstWeekday: calendar.firstWeekday,
            minimumDaysInFirstWeek: calendar.minimumDaysInFirstWeek
        )
    }
}
