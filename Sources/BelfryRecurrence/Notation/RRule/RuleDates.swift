/// The local dates of a rule that counts days or longer periods. They lie in every `interval`-th period. If the rule
/// has positions, only the dates at these positions count.
struct RuleDates: LocalDates {
    let days: DaySet
    let times: TimeOfDaySet
    let period: RulePeriod
    let positions: [Int]
    /// The local time of the start, in seconds since 1970, as if the zone were UTC.
    let start: Int

    let hourIsGiven = true

    func nextLocal(from local: Int) -> Int {
        let from = max(local, start)
        if from > Gregorian.seconds(ofDay: Gregorian.lastDay + 1) { return Self.none }
        return positions.isEmpty && !spills ? nextInPhase(from: from) : nextByPeriod(from: from)
    }

    /// Whether a date can lie in the period after its own: the first of a month replaces a missing day.
    private var spills: Bool { period.unit == .month && days.missingDate == .nextDay }

    /// Finds the next date. If the interval skips its period, continues from the next period that counts.
    private func nextInPhase(from start: Int) -> Int {
        var from = start
        for _ in 0..<period.cycle {
            let found = times.nextLocal(from: from) { days.next(from: $0) }
            if found == Self.none { return found }
            let index = period.unit.index(ofDay: Gregorian.day(ofSeconds: found))
            guard let aligned = period.aligned(index) else { return Self.none }
            if aligned == index { return found }
            from = Gregorian.seconds(ofDay: period.unit.firstDay(ofIndex: aligned))
        }
        return Self.none
    }

    /// Goes from one period that counts to the next, and picks from the days of each.
    private func nextByPeriod(from local: Int) -> Int {
        let day = Gregorian.day(ofSeconds: local)
        var index = period.unit.index(ofDay: day) - (spills ? 1 : 0)
        var best = Self.none
        for _ in 0..<period.cycle {
            guard let aligned = period.aligned(index) else { return best }
            best = min(best, firstDate(ofPeriod: aligned, notBefore: local))
            // A date that replaces a missing day is in the next period, which may have an earlier one of its own.
            if best < Gregorian.seconds(ofDay: period.unit.firstDay(ofIndex: aligned + 1)) { return best }
            index = aligned + 1
            // If no day is left at all, no period has one.
            if days.next(from: period.unit.firstDay(ofIndex: aligned)) == DaySet.none { return best }
        }
        return best
    }

    /// Returns the first date of a period at or after `local`.
    private func firstDate(ofPeriod index: Int, notBefore local: Int) -> Int {
        // The longest period is a week-year of 371 days; one more allows for the day that replaces a missing one.
        // Offsets from the first day of the period are small enough for a buffer on the stack.
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 372) { buffer in
            let count = collectDays(ofPeriod: index, into: buffer)
            let days = UnsafeBufferPointer(rebasing: buffer[..<count])
            return pick(from: days, after: period.unit.firstDay(ofIndex: index), notBefore: local)
        }
    }

    private func collectDays(ofPeriod index: Int, into buffer: UnsafeMutableBufferPointer<Int16>) -> Int {
        let first = period.unit.firstDay(ofIndex: index)
        let end = period.unit.firstDay(ofIndex: index + 1)
        var days = days
        var spillsOver = false
        if spills {
            spillsOver = days.spills(year: index / 12, month: index % 12 + 1)
            days.missingDate = .skip
        }
        var count = 0
        var day = days.next(from: first)
        while day < end, count < buffer.count - 1 {
            buffer[count] = Int16(day - first)
            count += 1
            day = days.next(from: day + 1)
        }
        if spillsOver {
            buffer[count] = Int16(end - first)
            count += 1
        }
        return count
    }

    /// Returns the first selected local time at or after `local`.
    private func pick(from days: UnsafeBufferPointer<Int16>, after first: Int, notBefore local: Int) -> Int {
        let perDay = times.count
        func time(at position: Int) -> Int {
            Gregorian.seconds(ofDay: first + Int(days[position / perDay])) + times.time(at: position % perDay)
        }
        var best = Self.none
        if positions.isEmpty {
            let wanted = Gregorian.day(ofSeconds: local)
            for day in days where first + Int(day) >= wanted {
                let midnight = Gregorian.seconds(ofDay: first + Int(day))
                let time = max(local - midnight, 0)
                if time <= times.last { return midnight + times.next(from: time) }
            }
            return best
        }
        let total = days.count * perDay
        for position in positions {
            let place = position > 0 ? position - 1 : total + position
            guard (0..<total).contains(place) else { continue }
            let candidate = time(at: place)
            if candidate >= local { best = min(best, candidate) }
        }
        return best
    }
}
