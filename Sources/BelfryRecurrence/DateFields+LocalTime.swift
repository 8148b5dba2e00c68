extension DateFields {
    /// Creates year, month, day, weekday and time from a local time. `seconds` counts from 1970, as if the zone were
    /// UTC. A time outside the years 1 to 9999 is clamped to them.
    package init(local seconds: Int64) {
        let date = LocalDate(clamping: seconds)
        self.init(
            year: date.year,
            month: date.month,
            day: date.day,
            weekday: date.weekday,
            hour: date.hour,
            minute: date.minute,
            second: date.second
        )
    }
}
