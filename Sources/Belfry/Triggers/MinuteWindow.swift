import BelfryRecurrence

/// A systemd.time expression read as a window: the local minutes in which it has a date. `08..18:*` ends at 18:59:59.
///
/// It goes by what a clock on the wall shows: of an hour that occurs twice both passes count, whatever the expression's
/// dates do there.
struct MinuteWindow: Sendable {
    /// Compiled as if local time were UTC.
    private let pattern: CalendarPattern
    /// Nil follows the system's zone.
    private let zone: String?

    private static let microseconds: Int64 = 1_000_000
    /// Beyond any date that the notation has.
    private static let limit: Int64 = 1_000_000_000_000

    /// Throws ``NoticeError/Code/invalidNotation`` with the column, ``NoticeError/Code/neverFires`` where no minute
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

    /// Whether the minute of an instant matches, in microseconds since 1970.
    func holds(at instant: Int64, in systemZone: ZoneRules) -> Bool {
        guard let minute = localMinute(of: instant, in: systemZone) else { return false }
        return next(atOrAfter: minute).map { $0 < (minute + 60) * Self.microseconds } ?? false
    }

    /// Whether the minute of an instant matches, or any after it.
    func hasMinute(since instant: Int64, in systemZone: ZoneRules) -> Bool {
        localMinute(of: instant, in: systemZone).map { next(atOrAfter: $0) != nil } ?? false
    }

    private func next(atOrAfter minute: Int64) -> Int64? {
        pattern.next(afterMicroseconds: minute * Self.microseconds - 1)
    }

    /// The beginning of the local minute, in seconds; nil where the system knows no such zone any more.
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
