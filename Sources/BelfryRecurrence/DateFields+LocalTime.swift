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

extension DateFields {
    /// Returns the first of these local dates whose instant in a zone is after another instant, whether or not a clock
    /// change skips it; nil if there is none. The result is in seconds since 1970, as if the zone were UTC. Of a date
    /// that a clock change skips and one that it moves to, at the same instant, the latter is returned.
    package func firstLocal(after instant: Int64, in zone: ZoneRules) -> Int64? {
        // At UTC, the dates of the pattern are those of the local clock. No clock change is as long as two days.
        var last = instant + Int64(zone.offset(at: instant)) - 2 * 86_400
        let pattern = try? DatePattern(matching: [self], zone: .utc)
        while let local: Int64 = pattern?.next(after: last) {
            let found = zone.instant(ofLocal: local)
            if found > instant {
                let shown = found + Int64(zone.offset(at: found))
                let isDate = pattern?.next(after: shown - 1) == shown
                return isDate ? shown : local
            }
            last = local
        }
        return nil
    }
}
