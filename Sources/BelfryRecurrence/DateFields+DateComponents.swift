public import FoundationEssentials

extension DateFields {
    /// Creates fields from Foundation's date components. `quarter`, `nanosecond` and `isLeapMonth` are ignored, and so
    /// are the week fields beside year, month and day; ``warnings(for:)`` lists them. The calendar and the zone of the
    /// components are not read: a ``DatePattern`` has its own parameters for them.
    public init(_ components: DateComponents) {
        self = DateFields(unreduced: components).withoutRedundantWeeks
    }

    /// Returns one sentence for each component that `init(_:)` ignores.
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

/// Foundation's value for a component that isn't given (NSDateComponentUndefined), which ported code uses too.
private let undefined = Int.max

extension WeekRules {
    /// Creates the week rules of a calendar.
    public init(_ calendar: Calendar) {
        self.init(
            firstWeekday: calendar.firstWeekday,
            minimumDaysInFirstWeek: calendar.minimumDaysInFirstWeek
        )
    }
}
