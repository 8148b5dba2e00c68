import BelfryRecurrence

/// The local minutes that a systemd.time expression matches. `08..18:*` ends at 18:59:59.
///
/// It uses the time that a wall clock shows: both passes of an hour that occurs twice match, unlike the dates of the
/// expression.
struct MinuteWindow: Sendable {
    /// The expression, compiled as if local time were UTC.
    private let pattern: CalendarPattern
    /// The zone of the expression; nil follows the system's zone.
    private let zone: String?

    private static let microseconds: Int64 = 1_000_000
    /// Seconds, beyond any date of the notation.
    private static let limit: Int64 = 1_000_000_000_000

    /// Throws ``NoticeError/Code/invalidNotation`` with the column, and ``NoticeError/Code/neverFires`` if no minute
    /// matches; permanent.
    init(parsing text: String) throws(NoticeError) {
        do throws(RecurrenceError) {
            let expression = try CalendarExpression(parsing: text)
            zone = expression.zone
            let bare = expression.description.dropLast(zone.map { $0.count + 1 } ?? 0)
            pattern = try CalendarExpression(parsing: String(bare)).compiled(zone: .utc)
            if let impossible = pattern.impossibility { throw impossible }
        } catch { throw NoticeError(error) }
    }

    /// Returns whether the minute of an instant, in microseconds since 1970, matches.
    func holds(at instant: Int64, in systemZone: ZoneRules) -> Bool {
        guard let minute = localMinute(of: instant, in: systemZone) else { return false }
        return next(atOrAfter: minute).map { $0 < (minute + 60) * Self.microseconds } ?? false
    }

    /// Returns whether the minute of an instant, or any later one, matches.
    func hasMinute(since instant: Int64, in systemZone: ZoneRules) -> Bool {
        localMinute(of: instant, in: systemZone).map { next(atOrAfter: $0) != nil } ?? false
    }

    private func next(atOrAfter minute: Int64) -> Int64? {
        pattern.next(afterMicroseconds: minute * Self.microseconds - 1)
    }

    /// Returns the start of the local minute, in seconds; nil if the zone no longer exists.
    private func localMinute(of instant: Int64, in systemZone: ZoneRules) -> Int64? {
        let rules: ZoneRules
        switch zone {
        case nil: rules = systemZone
        case "UTC": rules = .utc
        case let name?:
            guard let named = try? ZoneRules.named(name) else { return nil }
            rules = named
        }
        let rounded = instant / Self.microseconds - (instant % Self.microseconds < 0 ? 1 : 0)
        let second = min(max(rounded, -Self.limit), Self.limit)
        let local = second + Int64(rules.offset(at: second))
        return local - ((local % 60) + 60) % 60
    }
}
