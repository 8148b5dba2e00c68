import Belfry
import BelfryRecurrence
import FoundationEssentials

/// A time of day on recurring days of the local calendar, as users write it: "from the next Tuesday 19:30 on, every 7
/// days, 4 times".
struct LocalRepeat: Sendable {
    enum Start: Sendable {
        /// The next such local date and time after the beginning. If a month lacks its day, it is the first of the next
        /// month.
        case next(DateFields)
        case on(LocalDate)
    }

    enum Step: Sendable, Hashable {
        case once, months, years
        case days(Int)
        case weeks
    }

    enum End: Sendable, Hashable {
        case never
        /// The total number of firings.
        case count(Int)
        /// The last day, inclusive.
        case through(LocalDate)
        /// A span from the first firing, whose end is excluded.
        case days(Int)
        case months(Int)

        var sentence: String {
            guard case .through(let day) = self else { return "it has no date to come" }
            return "it ended on \(day.day)/\(day.month)/\(day.year)"
        }
    }

    var start: Start
    var step: Step
    var end: End

    /// Returns nil if it ended before it began. Throws ``NoticeError/Code/neverFires`` if it has no date in the
    /// calendar, and ``NoticeError/Code/invalidSchedule`` if its end is before its start.
    func trigger(beginningAt anchor: Date, in zone: ZoneRules) throws(NoticeError) -> (any NoticeTrigger)? {
        let first = try first(after: anchor, in: zone)
        if case .through(let day) = end, day.secondsAtUTC < first.startOfDay.secondsAtUTC {
            let over = LocalDate(secondsAtUTC: day.secondsAtUTC + 86_399)
            if over.instant(in: zone) < anchor { return nil }
            throw NoticeError(
                .invalidSchedule,
                "ends on \(day.day)/\(day.month)/\(day.year), before its first firing on \(first.day)/\(first.month)/"
                    + "\(first.year); write a later end"
            )
        }
        guard step != .once else { return CalendarTrigger(matching: first.fields, repeats: false) }
        return try RecurrenceTrigger(.rrule("DTSTART:\(ruleStart(first).compact)\nRRULE:\(rule(from: first))"))
    }

    /// Returns the start of the rule. If the first firing replaces a day that the previous month lacks, the rule begins
    /// in that month.
    private func ruleStart(_ first: LocalDate) -> LocalDate {
        guard step == .months, case .next(let fields) = start, let day = fields.day, day != first.day else {
            return first
        }
        var start = first.adding(days: -1)
        start.day = 2
        return start
    }

    private func rule(from first: LocalDate) -> String {
        var parts: [String]
        var monthDay = first.day
        if case .next(let fields) = start, let day = fields.day { monthDay = day }
        switch step {
        case .once: parts = []
        case .days(let count): parts = ["FREQ=DAILY", "INTERVAL=\(count)"]
        case .weeks: parts = ["FREQ=WEEKLY"]
        case .months: parts = ["FREQ=MONTHLY", "BYMONTHDAY=\(monthDay)"]
        case .years: parts = ["FREQ=YEARLY"]
        }
        if monthDay > 28, step == .months || step == .years { parts = ["RSCALE=GREGORIAN"] + parts + ["SKIP=FORWARD"] }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .through(let day): parts.append("UNTIL=\(LocalDate(secondsAtUTC: day.secondsAtUTC + 86_399).compact)")
        case .days(let days): parts.append("UNTIL=\(first.adding(days: days).adding(seconds: -1).compact)")
        case .months(let months): parts.append("UNTIL=\(first.adding(months: months).adding(seconds: -1).compact)")
        }
        return parts.joined(separator: ";")
    }

    /// Returns the local date and time of the first firing, whether or not a clock change skips it.
    func first(after anchor: Date, in zone: ZoneRules) throws(NoticeError) -> LocalDate {
        switch start {
        case .on(let date): return date
        case .next(let fields):
            let seconds = Int64(min(max(anchor.timeIntervalSince1970.rounded(.down), -62_000_000_000), 253_000_000_000))
            // At UTC, the dates of the pattern are those of the local clock. No clock change is as long as two days.
            var last = seconds + Int64(zone.offset(at: seconds)) - 2 * 86_400
            let pattern = try? DatePattern(matching: [fields], zone: .utc)
            while let local: Int64 = pattern?.next(after: last) {
                last = local
                let candidate = LocalDate(secondsAtUTC: local)
                if candidate.instant(in: zone) > anchor { return candidate }
            }
            throw NoticeError(.neverFires, "has no date in the years 1 to 9999")
        }
    }
}

extension LocalDate {
    var startOfDay: LocalDate { LocalDate(year: year, month: month, day: day) }

    func adding(days: Int) -> LocalDate { adding(seconds: days * 86_400) }

    /// Returns a date within the years 1 to 9999.
    func adding(seconds: Int) -> LocalDate {
        let (sum, overflow) = secondsAtUTC.addingReportingOverflow(Int64(seconds))
        return LocalDate(clamping: overflow ? .max : sum)
    }

    /// Returns a date in which a day that the month lacks becomes the first of the next one.
    func adding(months: Int) -> LocalDate {
        let number = year * 12 + month - 1 + months
        var date = self
        (date.year, date.month, date.day) = (min(max(number / 12, 1), 9999), number % 12 + 1, 1)
        let length = Self.length(ofMonth: date.month, in: date.year)
        return date.adding(days: min(day - 1, length))
    }
}
