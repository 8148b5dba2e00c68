import BelfryRecurrence

/// A day in a calendar that Belfry computes itself.
struct CalendarDay {
    let date: ForeignDate
    let monthLength: Int
    let yearLength: Int
}
