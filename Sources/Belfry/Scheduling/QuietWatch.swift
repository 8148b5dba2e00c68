import BelfryRecurrence

/// Quiet hours, prepared for a check at every firing. The last result is cached until it may change.
struct QuietWatch: Sendable {
    private struct Rules: Sendable {
        let starts: CalendarRule
        let ends: CalendarRule
        /// How long a period is on a day without a clock change, in microseconds.
        let length: Int64

        /// Returns the end of the period that starts at an instant. Nil if nothing of it is left, because a clock
        /// change skips its start and its end: then the next end is that of another day.
        func end(ofPeriodFrom start: Int64, in zone: ZoneRules) -> Int64? {
            guard let end = ends.next(after: start, in: zone), end - start < length + 12 * 3_600_000_000 else {
                return nil
            }
            return end
        }
    }

    /// A result that is valid from one wall-clock instant (included) to another (excluded).
    private struct Span: Sendable {
        var from: Int64
        var to: Int64
        var isQuiet: Bool
    }

    let setting: QuietHours
    private let rules: [Rules]
    private var last: Span?

    /// The longest span of a result; later times are checked again.
    private static let horizon: Int64 = 8 * 86_400_000_000

    init(_ setting: QuietHours) {
        self.setting = setting
        rules = setting.periods.compactMap { period in
            let starts = period.weekdays.map { DateFields(weekday: $0.rawValue).at(period.start) }
            guard let begin = CalendarTrigger(matching: starts, repeats: true).rule,
                let end = CalendarTrigger(matching: [DateFields().at(period.end)], repeats: true).rule
            else { return nil }
            let seconds = period.end.secondsOfDay - period.start.secondsOfDay
            return Rules(starts: begin, ends: end, length: Int64(seconds > 0 ? seconds : seconds + 86_400) * 1_000_000)
        }
    }

    /// Discards the cached result after a change of the clock or the zone.
    mutating func forget() { last = nil }

    /// Returns when the quiet hours at an instant end, both in microseconds since 1970; nil if none apply. An end more
    /// than 8 days away is returned as 8 days.
    mutating func end(at instant: Int64, in zone: ZoneRules) -> Int64? {
        if let last, last.from <= instant, instant < last.to { return last.isQuiet ? last.to : nil }
        let found = span(at: instant, in: zone)
        last = found
        return found.isQuiet ? found.to : nil
    }

    private func span(at instant: Int64, in zone: ZoneRules) -> Span {
        let limit = instant + Self.horizon
        var end = instant
        // Periods that touch or overlap count as one.
        while end < limit, let later = rules.compactMap({ Self.end(of: $0, at: end, in: zone) }).max(), later > end {
            end = later
        }
        if end > instant { return Span(from: instant, to: min(end, limit), isQuiet: true) }
        let next = rules.compactMap { $0.starts.next(after: instant, in: zone) }.min() ?? limit
        return Span(from: instant, to: min(next, limit), isQuiet: false)
    }

    /// Returns the end of the period that contains an instant.
    private static func end(of rules: Rules, at instant: Int64, in zone: ZoneRules) -> Int64? {
        // A period lasts at most a day, plus some hours if the clock is set back; a clock change may also delay its
        // start.
        var start = instant - 2 * 86_400_000_000
        var latest: Int64?
        while let next = rules.starts.next(after: start, in: zone), next <= instant {
            if let end = rules.end(ofPeriodFrom: next, in: zone), end > instant { latest = max(end, latest ?? end) }
            start = next
        }
        return latest
    }
}
