extension DateFields {
    /// Creates year, month, day, weekday and time from a local time. `seconds` counts from 1970, as if the zone were
    /// UTC. A time outside the years 1 to 9999 is clamped to them.
    package init(local seconds: Int64) {
        let first = Gregorian.seconds(ofDay: Gregorian.firstDay)
        let held = min(max(Int(seconds), first), Gregorian.seconds(ofDay: Gregorian.lastDay + 1) - 1)
        let date = LocalDate(secondsAtUTC: Int64(held))
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
