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
        case once
        case every(Int, RRule.Frequency)
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
        guard case .every(let number, let unit) = step else {
            return CalendarTrigger(matching: first.fields, repeats: false)
        }
        let (start, day) = (ruleStart(first).secondsAtUTC, wantedDay ?? first.day)
        var rule = RRule(every: number, unit, from: start, day: day, missingDate: .nextDay)
        rule.rules[0].end = ruleEnd(first)
        return try RecurrenceTrigger(.rrule(rule.description))
    }

    /// The day of the month that the first firing should have; nil if it is not given.
    private var wantedDay: Int? {
        if case .next(let fields) = start { fields.day } else { nil }
    }

    /// Returns the start of the rule. If the first firing replaces a day that the previous month lacks, the rule begins
    /// in that month.
    private func ruleStart(_ first: LocalDate) -> LocalDate {
        guard step == .every(1, .monthly), let wantedDay, wantedDay != first.day else { return first }
        var start = first.adding(days: -1)
        start.day = 2
        return start
    }

    private func ruleEnd(_ first: LocalDate) -> RRule.End? {
        func until(_ date: LocalDate) -> RRule.End { .until(RRule.DateValue(floating: date.secondsAtUTC)) }
        switch end {
        case .never: return nil
        case .count(let count): return .count(count)
        case .through(let day): return until(day.adding(seconds: 86_399))
        case .days(let days): return until(first.adding(days: days).adding(seconds: -1))
        case .months(let months): return until(first.adding(months: months).adding(seconds: -1))
        }
    }

    /// Returns the local date and time of the first firing, whether or not a clock change skips it.
    func first(after anchor: Date, in zone: ZoneRules) throws(NoticeError) -> LocalDate {
        switch start {
        case .on(let date): return date
        case .next(let fields):
            let seconds = Int64(min(max(anchor.timeIntervalSince1970.rounded(.down), -62_000_000_000), 253_000_000_000))
            if let local = fields.firstLocal(after: seconds, in: zone) { return LocalDate(secondsAtUTC: local) }
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
