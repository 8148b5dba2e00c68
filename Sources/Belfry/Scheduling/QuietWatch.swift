import BelfryRecurrence

/// Quiet hours, with the last result, which is cached until it may change.
struct QuietWatch: Sendable {
    /// A result that is valid from one wall-clock instant (included) to another (excluded).
    private struct Span: Sendable {
        var from: Int64
        var to: Int64
        var isQuiet: Bool
    }

    let setting: QuietHours
    private var last: Span?

    /// The longest span of a result, in days; later times are checked again.
    private static let horizon: Int64 = 8

    init(_ setting: QuietHours) { self.setting = setting }

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
        let limit = instant + Self.horizon * 86_400_000_000
        let periods = periods(around: instant, in: zone)
        var end = instant
        // Periods that touch or overlap count as one.
        for period in periods where period.start <= end { end = max(end, period.end) }
        if end > instant { return Span(from: instant, to: min(end, limit), isQuiet: true) }
        let next = periods.first { $0.start > instant }?.start ?? limit
        return Span(from: instant, to: min(next, limit), isQuiet: false)
    }

    /// Returns the periods that begin from two days before an instant until the horizon, by their starts. A period
    /// lasts a day at most, plus some hours if the clock is set back.
    private func periods(around instant: Int64, in zone: ZoneRules) -> [(start: Int64, end: Int64)] {
        let day: Int64 = 86_400
        let local = Schedule.local(instant, in: TriggerContext(zone: zone))
        let today = local - ((local % day) + day) % day
        var found: [(start: Int64, end: Int64)] = []
        for midnight in stride(from: today - 2 * day, through: today + (Self.horizon + 1) * day, by: Int(day)) {
            let weekday = LocalDate(secondsAtUTC: midnight).weekday
            for period in setting.periods where period.weekdays.contains(where: { $0.rawValue == weekday }) {
                let start = midnight + Int64(period.start.secondsOfDay)
                let end = midnight + Int64(period.end.secondsOfDay)
                let (from, to) = (zone.instant(ofLocal: start), zone.instant(ofLocal: end > start ? end : end + day))
                // A clock change may skip the whole period.
                if from < to { found.append((from * 1_000_000, to * 1_000_000)) }
            }
        }
        return found.sorted { $0.start < $1.start }
    }
}
