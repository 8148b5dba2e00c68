extension RRule {
    /// The largest `COUNT` that is looked up date by date: about the number of days in four centuries. It takes at most
    /// some 12 ms, or 45 ms on a machine at a quarter of the speed.
    public static let maximumCount = 150_000
    /// The largest `COUNT` of a rule with positions, or by hour, minute or second, whose dates take several times as
    /// long.
    public static let reducedMaximumCount = 30_000
    /// The number of lookups that a `COUNT` may take: about 0.2 s. Only odd rules by hour, minute or second need more.
    fileprivate static let maximumLookups = 10_000_000

    /// Compiles the recurrence to a pattern.
    /// - Parameters:
    ///   - given: the start if the text has no `DTSTART`, in seconds since 1970.
    ///   - fallback: the zone of local times if the text names none.
    /// - Throws: ``RecurrenceError/Code/invalidNotation`` if there is no start. ``RecurrenceError/Code/unknownZone``
    ///   for an unknown `TZID`. ``RecurrenceError/Code/limitExceeded`` for a start outside of the years 1 to 9999, and
    ///   for a `COUNT` that the rule can reach and that takes too long to look up. All are permanent.
    public func compiled(start given: Int64? = nil, zone fallback: ZoneRules) throws(RecurrenceError) -> RRulePattern {
        let zone = try start.map { date throws(RecurrenceError) in try date.clock.rules(or: fallback) } ?? fallback
        guard let startLocal = start?.local ?? given.map({ Self.local(of: $0, in: zone) }) else {
            throw RecurrenceError(
                code: .invalidNotation,
                message: "rrule: there is no start; give DTSTART or a start date."
            )
        }
        let range = Gregorian.seconds(ofDay: Gregorian.firstDay)...Gregorian.seconds(ofDay: Gregorian.lastDay + 1) - 1
        guard range.contains(Int(startLocal)) else {
            throw RecurrenceError(code: .limitExceeded, message: "rrule: the start is not in the years 1–9999.")
        }
        let instant = start == nil ? given : nil
        var parts: [RRulePattern.Part] = []
        for rule in rules {
            if let part = try rule.part(startLocal: Int(startLocal), startInstant: instant, zone: zone) {
                parts.append(part)
            }
        }
        var added: [Int64] = []
        for date in additions { added.append(try date.instant(in: zone)) }
        // Without a rule, the start is the first of the dates.
        if rules.isEmpty, let start { added.append(try start.instant(in: zone)) }
        var excepted: [Int64] = []
        for date in exceptions where !date.isDate { excepted.append(try date.instant(in: zone)) }
        let days = exceptions.filter(\.isDate).map { Gregorian.day(ofSeconds: Int($0.local)) }
        return RRulePattern(
            zone: zone,
            parts: parts,
            additions: added.sorted(),
            exceptions: excepted.sorted(),
            exceptionDays: days.sorted()
        )
    }

    private static func local(of instant: Int64, in zone: ZoneRules) -> Int64 {
        let clamped = min(max(instant, -1 << 50), 1 << 50)
        return clamped + Int64(zone.offset(at: clamped))
    }
}

extension RRule {
    /// The zones that the recurrence names. A compiled rule depends on them as well as on the zone it is compiled for.
    package var namedZones: [String] {
        let ends = rules.compactMap { rule in
            if case .until(let date)? = rule.end { date } else { nil }
        }
        let names: [String] = ([start].compactMap { $0 } + additions + exceptions + ends).compactMap { date in
            if case .zone(let name) = date.clock { name } else { nil }
        }
        return Set(names).sorted()
    }
}

extension RRule.DateValue.Clock {
    package func rules(or fallback: ZoneRules) throws(RecurrenceError) -> ZoneRules {
        switch self {
        case .utc: .utc
        case .zone(let name): try ZoneRules.named(name)
        case .local: fallback
        }
    }
}

extension RRule.DateValue {
    /// Creates a floating date and time from seconds since 1970, as if the zone were UTC.
    package init(floating local: Int64) { self.init(local: local, isDate: false, clock: .local) }

    /// Returns the instant of the date in its own zone, or else in that of the recurrence.
    func instant(in zone: ZoneRules) throws(RecurrenceError) -> Int64 {
        try clock.rules(or: zone).instant(ofLocal: local)
    }
}

extension RRule.Rule {
    /// Returns the rule with its bounds; `nil` if it has no day at all.
    fileprivate func part(
        startLocal: Int,
        startInstant: Int64?,
        zone: ZoneRules
    ) throws(RecurrenceError) -> RRulePattern.Part? {
        let weeks = WeekRules(firstWeekday: weekStart, minimumDaysInFirstWeek: 4)
        let startDay = Gregorian.day(ofSeconds: startLocal)
        let days = days(start: startDay, weeks: weeks)
        if days.isEmpty { return nil }
        let first = Int(startInstant ?? zone.instant(ofLocal: Int64(startLocal)))
        let times = times(startTime: startLocal - Gregorian.seconds(ofDay: startDay))
        let unit: RulePeriod.Unit? =
            switch frequency {
            case .yearly: weekNumbers.isEmpty ? .year : .weekYear(weeks)
            case .monthly: .month
            case .weekly: .week(start: weekStart - 1)
            case .daily: .day
            case .hourly, .minutely, .secondly: nil
            }
        let dates: RRulePattern.Part.Dates
        var startsInSecondPass = false
        if let unit {
            let period = RulePeriod(
                unit: unit,
                interval: interval,
                startDay: startDay,
                first: firstWeekYear(startDay: startDay, days: days, weeks: weeks)
            )
            let local = RuleDates(days: days, times: times, period: period, positions: positions, start: startLocal)
            dates = .local(local)
            startsInSecondPass =
                first > zone.instant(ofLocal: Int64(startLocal)) && local.nextLocal(from: startLocal) == startLocal
        } else {
            let seconds = frequency == .hourly ? 3600 : frequency == .minutely ? 60 : 1
            // No hour, minute or second has more dates than this, so positions beyond it are never reached.
            let most =
                (seconds == 3600 ? times.minutes.nonzeroBitCount : 1)
                * (seconds > 1 ? times.seconds.nonzeroBitCount : 1)
            let reachable = positions.filter { abs($0) <= most }
            if reachable.isEmpty, !positions.isEmpty { return nil }
            let instants = RuleInstants(
                clause: Clause(days: days, times: times, hourIsGiven: false),
                unit: seconds,
                interval: interval,
                positions: reachable,
                start: first,
                zone: zone.table
            )
            dates = .elapsed(instants)
        }
        var part = RRulePattern.Part(
            dates: dates,
            earliest: first,
            latest: Gregorian.secondsPerCycle * 25,
            startsInSecondPass: startsInSecondPass
        )
        try bound(&part, zone: zone)
        return part
    }

    /// The year from which a rule by week numbers counts. Around the new year, the week of the start may belong to
    /// another year than its date. The year of the week is used if the rule has a date left in that week, otherwise the
    /// year of the date.
    private func firstWeekYear(startDay: Int, days: DaySet, weeks: WeekRules) -> Int? {
        if weekNumbers.isEmpty { return nil }
        let week = RulePeriod.Unit.week(start: weekStart - 1)
        return days.next(from: startDay) < week.firstDay(ofIndex: week.index(ofDay: startDay) + 1)
            ? RulePeriod.Unit.weekYear(weeks).index(ofDay: startDay) : Gregorian.date(ofDay: startDay).year
    }

    /// Returns the times of day. A part that is left open comes from the start, unless the rule counts this unit or a
    /// finer one.
    private func times(startTime time: Int) -> TimeOfDaySet {
        func list(_ values: [Int], or value: Int, unlessCounting units: [RRule.Frequency]) -> [Int] {
            values.isEmpty && !units.contains(frequency) ? [value] : values
        }
        return TimeOfDaySet(
            hours: list(hours, or: time / 3600, unlessCounting: [.hourly, .minutely, .secondly]),
            minutes: list(minutes, or: time / 60 % 60, unlessCounting: [.minutely, .secondly]),
            seconds: list(seconds, or: time % 60, unlessCounting: [.secondly])
        )
    }

    /// An upper bound of the number of dates up to the year 9999. A larger `COUNT` limits nothing.
    private func mostDates(from instant: Int) -> Int {
        // One more day on each side allows for the zone.
        let days = max(0, Gregorian.lastDay - Gregorian.day(ofSeconds: instant)) + 3
        if frequency.isOfTime { return days * Gregorian.secondsPerDay }
        return days * max(1, hours.count) * max(1, minutes.count) * max(1, seconds.count)
    }

    /// Turns `UNTIL` and `COUNT` into the last instant.
    private func bound(_ part: inout RRulePattern.Part, zone: ZoneRules) throws(RecurrenceError) {
        switch end {
        case nil: break
        case .until(let date):
            let local = date.isDate ? date.local + Int64(Gregorian.secondsPerDay) - 1 : date.local
            let last = try date.clock.rules(or: zone).instant(ofLocal: local, repeated: .last)
            part.latest = min(part.latest, Int(last))
        case .count(let count):
            guard count < mostDates(from: part.earliest) else { break }
            let isSlow = !positions.isEmpty || frequency.isOfTime
            let most = isSlow ? RRule.reducedMaximumCount : RRule.maximumCount
            var last = part.earliest - 1
            var lookups = 0
            for _ in 0..<min(count, most) {
                let next = part.next(after: last, in: zone.table, lookups: &lookups)
                if next == Clause.none { return }
                guard lookups <= RRule.maximumLookups else {
                    throw RecurrenceError(
                        code: .limitExceeded,
                        message: "rrule: COUNT \(count) takes too long to look up. Leave it out, or give UNTIL instead."
                    )
                }
                last = next
            }
            if count > most, part.next(after: last, in: zone.table) != Clause.none {
                throw RecurrenceError(
                    code: .limitExceeded,
                    message: "rrule: COUNT \(count) is more than \(most). "
                        + "Leave it out, or give UNTIL instead."
                )
            }
            part.latest = last
        }
    }
}
