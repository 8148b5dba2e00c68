import BelfryRecurrence

/// A day's fields in a calendar.
struct CalendarDay {
    let year: Int
    let dayOfYear: Int
    let month: Int
    let isLeapMonth: Bool
    let day: Int
    let monthLength: Int
    let yearLength: Int

    /// Returns the value of a field, in a calendar without eras.
    func value(of field: ForeignCalendarField) -> Int {
        switch field {
        case .era: 0
        case .year, .extendedYear: year
        case .month: month
        case .isLeapMonth: isLeapMonth ? 1 : 0
        case .day: day
        case .dayOfYear: dayOfYear
        }
    }
}
